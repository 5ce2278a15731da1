/** The origins whose pages may read responses of the API: all, or exactly these, such as `https://chat.example`. */
export type AllowedOrigins = "*" | ReadonlySet<string>

/** Returns whether the text is the origin of a page as browsers send it: `http` or `https`, host and port, and no path. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
