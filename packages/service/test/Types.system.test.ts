import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { compile, lineOf } from "../../../test/CompiledProgram.ts"

const source = fileURLToPath(new URL("../src", import.meta.url))

const PROGRAM = `
import { createService } from "${source}/CreateService.ts"

declare const left: undefined
const service = await createService({
  storage: { kind: "memory" }, backgroundWork: left, worker: left, rateLimits: left
})
await service.createUser({ username: "ada", email: left, global_name: left, bot: left, discriminator: left })
await service.saveMember({ guild_id: "1", user_id: "1", nickname: left, role_ids: left })
await service.createApplication({ name: "Weather", bot_user_id: left, redirect_uris: left })
await service.grantConsent({ user_id: "1", client_id: "1", scope: "bot", state: left, authorised_page: left })
await service.redeemCode({ client_id: "1", code: "1", redirect_uri: left })
await service.listScheduledMessages({ user_id: "1", status: left })
await service.searchGuildMembers({ user_id: "1", guild_id: "1", query: left, role_ids: left })
await service.scheduleAccountDeletion({ user_id: "1", reason_code: 1, public_reason: left })
await service.executeCodeHostWebhook({ webhook_id: "1", token: "1", event: left, delivery_id: left, notification: {
  sender: {}, ref: left, commits: [{ id: left }]
} })
await service.executeErrorTrackerWebhook({ webhook_id: "1", token: "1", event: left, notification: { data: left } })
await service.updateWebhook({ webhook_id: "1", token: "1", name: left, avatar: left })
await service.listMessages({ channel_id: "1", before: left, limit: left })
await service.scheduleMessage({
  user_id: "1", channel_id: "1", scheduled_local_at: "2026-01-01T00:00:00", timezone: "UTC",
  payload: { content: left, embeds: [{ title: left, footer: { text: left }, fields: [{ inline: left }] }] }
})
await service.mountHttp({ publicUrl: "https://example.org", prefix: left, trustedProxies: left, unknownPaths: left })
service.events(left)
`

const WRONG: ReadonlyArray<readonly [error: string, call: string]> = [
  ["undefined for a required field", "service.createUser({ username: left })"],
  ["undefined in a list", "service.saveMember({ guild_id: '1', user_id: '1', role_ids: [left] })"],
  ["null for a missing field", "service.createUser({ username: 'ada', email: null })"],
  ["an unknown field", "service.createUser({ username: 'ada', mail: 'ada@example.org' })"]
]

describe("The types of the service, compiled strictly", () => {
  it("accept undefined for each field that may be left out, and find the mistakes of a call", () => {
    const calls = WRONG.map(([, call]) => `void ${call}`).join("\n")
    const { errors } = compile(`${PROGRAM}${calls}\n`, { skipLibCheck: true })
    const first = PROGRAM.split("\n").length
    expect(errors.map((error) => WRONG[lineOf(error) - first]?.[0] ?? error)).toEqual(
      WRONG.map(([name]) => name)
    )
  })
})
