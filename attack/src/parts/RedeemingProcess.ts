import { useCases } from "@community-messaging/bench/http/UseCases"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { Effect, ManagedRuntime, Option, Redacted, Schema } from "effect"
import { APPLICATION, REDIRECT_URI } from "../community/Community.ts"

/*
 * A program that redeems authorization codes: node RedeemingProcess.js <database> <worker>. Programs that embed the domain
 * can do this; the API has no operation for it. It gets codes from its parent, and returns those that it redeemed.
 */

const [, , filename = "", worker = ""] = process.argv
const runtime = ManagedRuntime.make(useCases(filename, Number(worker)))
const decodeCodes = Schema.decodeUnknownSync(Schema.Array(Schema.String))

const redeem = (code: string) =>
  Effect.gen(function*() {
    const consents = yield* Consents
    return yield* consents.redeem({
      clientId: ApplicationId.make(APPLICATION),
      code: Redacted.make(code),
      redirectUri: Option.some(REDIRECT_URI)
    }).pipe(Effect.as(true), Effect.catchTag("InvalidGrant", () => Effect.succeed(false)))
  })

const redeemAll = async (codes: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const redeemed = await runtime.runPromise(Effect.forEach(codes, redeem, { concurrency: "unbounded" }))
  return codes.filter((_, index) => redeemed[index] === true)
}

process.on("message", (message) => {
  void redeemAll(decodeCodes(message)).then((redeemed) => process.send?.(redeemed))
})
process.once("disconnect", () => process.exit())
