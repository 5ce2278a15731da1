import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { Name } from "../shared-kernel/Name.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { type Violation, violationsIn } from "../shared-kernel/Violation.ts"

/** Identifies an application: the `client_id` of OAuth2. */
export const ApplicationId = Snowflake.pipe(Schema.brand("ApplicationId"))
export type ApplicationId = typeof ApplicationId.Type

/**
 * The address to which users are redirected after consent: an absolute URI without a fragment (RFC 6749, 3.1.2), stored
 * unchanged.
 */
export const RedirectUri = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z][A-Za-z0-9+.-]*:[^\s#]+$/, {
    message: () => "must be an absolute URI without a fragment",
    arbitrary: () => (fc) =>
      fc.stringMatching(/^https:\/\/[a-z]{1,12}\.(example|test)\/[a-z]{0,12}(\?[a-z]{1,8}=[a-z]{0,8})?$/)
  })
)

/** An OAuth2 client (RFC 6749, 2). `botUserId` is the bot account that joins guilds. */
export const Application = Schema.Struct({
  id: ApplicationId,
  name: Name,
  botUserId: optionalField(UserId),
  redirectUris: Schema.Array(RedirectUri)
}).annotations({ identifier: "Application" })
export interface Application extends Schema.Schema.Type<typeof Application> {}

/** URIs that are a program or a document themselves: a page that sends its user there may run them with its own rights. */
const CONTENT = /^(?:blob|data|javascript|vbscript):/i

/** Returns the redirect URIs that a consent may use: addresses, also of programs on the user's device. */
export const usableRedirectUris = ({ redirectUris }: Application): ReadonlyArray<string> =>
  redirectUris.filter((uri) => !CONTENT.test(uri))

/** Returns the rules that an imported application breaks. */
export const violations = (application: Application): ReadonlyArray<Violation<Application>> =>
  violationsIn([[
    usableRedirectUris(application).length === application.redirectUris.length,
    "redirectUris",
    "must be addresses: blob, data, javascript and vbscript are not accepted"
  ]])
