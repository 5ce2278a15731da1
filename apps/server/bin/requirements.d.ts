/** Why the program cannot run in this process; undefined if it can. */
export const refusal: (process: { readonly platform: string; readonly version: string }) => string | undefined

/** The problem of the SQLite driver; undefined if none is known. */
export const driverWarning: (process: { readonly version: string }) => string | undefined
