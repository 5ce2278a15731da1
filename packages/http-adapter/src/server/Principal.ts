/** The owner of the credentials. Requests are counted per principal. */
export type Principal = `user:${string}` | `admin:${string}` | `webhook:${string}`

/** Returns the owner's id for the log. It is not secret. */
export const annotationOf = (principal: Principal): Readonly<Record<string, string>> => {
  const id = principal.slice(principal.indexOf(":") + 1)
  if (principal.startsWith("user:")) return { user_id: id }
  return principal.startsWith("admin:") ? { admin_key_id: id } : { webhook_id: id }
}
