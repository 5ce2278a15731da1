/** Returns the text without the secrets: a server, or a proxy before it, may repeat the path or a header of the request. */
export const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text)
