/** Whether to write in colours: to a terminal, unless the user turns them off (https://no-color.org). */
export const areWanted = (stream: { readonly isTTY: boolean }): boolean =>
  stream.isTTY && (process.env["NO_COLOR"] ?? "") === ""
