/** The owner of the credentials. Requests are counted per principal. */
export type Principal = `user:${string}` | `admin:${string}` | `webhook:${string}`

/** Returns the owner's id for the log, if the owner is known. It is not secret. */
export const annotationOf = (principal: Principal | undefined): Readonly<Record<string, string>> => {
  if (principal === undefined) return {}
  const id = principal.slice(principal.indexOf(":") + 1)
  if (principal.startsWith("user:")) return { user_id: id }
  return principal.startsWith("admin:") ? { admin_key_id: id } : { webhook_id: id }
}
