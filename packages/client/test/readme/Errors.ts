import type { Client } from "@community-messaging/client/Client"
import { ApiError, ConnectionError } from "@community-messaging/client/ClientError"

/** Changes an e-mail address, and describes the result. */
export const changeEmail = async (client: Client, userId: string, email: string): Promise<string> => {
  try {
    const { user } = await client.administration.changeEmail({ body: { user_id: userId, email } })
    return `The address is now ${user.email ?? "missing"}.`
  } catch (error) {
    if (error instanceof ConnectionError) return "The service cannot be reached."
    if (!(error instanceof ApiError)) throw error
    switch (error.code) {
      case "UNKNOWN_USER":
        return "There is no such account."
      case "INVALID_FORM_BODY":
        return error.violations.map(({ message, path }) => `${path} ${message}`).join(", ")
      case "RATE_LIMITED":
        return `Try again in ${error.retryAfter ?? 60} seconds.`
      default:
        return `Request ${error.requestId ?? "without an id"} failed.`
    }
  }
}
