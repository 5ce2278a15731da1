import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

/** The hash of the picture of one pixel. */
const PNG_HASH = "497790947d4666760ce38f3c00e852c7"

const dataUri = (base64: string) => `data:image/png;base64,${base64}`

const NO_IMAGE = dataUri(Buffer.from("plain text, whatever it says").toString("base64"))

const updated = Effect.map(Fixtures.webhook, ({ path, token, webhook }) => ({
  webhook,
  token,
  update: (body: unknown) => send(path, { method: "PATCH", body })
}))

onMemory("PATCH /v1/webhooks/{webhook_id}/{token}", (it) => {
  it.effect("gives the webhook another name, without white space around it and control characters", () =>
    Effect.gen(function*() {
      const { token, update, webhook } = yield* updated
      expect((yield* update({ name: " Dep\u0000loys\n" })).json).toEqual({
        id: webhook.id,
        guild_id: webhook.guildId,
        channel_id: webhook.channelId,
        name: "Deploys",
        token: Redacted.value(token),
        avatar: null
      })
    }))

  it.effect("gives the webhook an avatar, whose data URI may have escapes, and removes it by null", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      const escaped = JSON.stringify({ avatar: dataUri(Fixtures.PNG) }).replaceAll("/", "\\/")
      const { json } = yield* update(escaped)
      expect([at(json, "name"), at(json, "avatar")]).toEqual(["Builds", PNG_HASH])
      expect((yield* update({ avatar: null })).json).toMatchObject({ avatar: null })
    }))

  it.effect("changes nothing by an empty object, and appends no event", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      const before = yield* update({ avatar: dataUri(Fixtures.PNG) })
      const events = yield* EventStream.read(0, 100_000)
      expect((yield* update({})).json).toEqual(before.json)
      expect(yield* EventStream.read(0, 100_000)).toEqual(events)
    }))

  it.effect.each(
    [
      [{ name: "" }, ["name: STRING_LENGTH_INVALID"]],
      [{ name: "🦊".repeat(81) }, ["name: STRING_LENGTH_INVALID"]],
      [{ name: `${" ".repeat(1_024)}a` }, ["name: STRING_LENGTH_INVALID"]],
      [{ name: null }, ["name: INVALID_FORMAT"]],
      [{ avatar: 5 }, ["avatar: INVALID_FORMAT"]],
      [{ avatar: "" }, ["avatar: INVALID_IMAGE_FORMAT"]],
      [{ avatar: NO_IMAGE }, ["avatar: INVALID_IMAGE_FORMAT"]],
      [{ name: 5, avatar: "nonsense" }, ["name: INVALID_FORMAT", "avatar: INVALID_IMAGE_FORMAT"]],
      // Otherwise, only the use case would find that it is no image.
      [{ name: "", avatar: NO_IMAGE }, ["name: STRING_LENGTH_INVALID", "avatar: INVALID_IMAGE_FORMAT"]],
      [{ name: "", avatar: dataUri(Fixtures.PNG) }, ["name: STRING_LENGTH_INVALID"]]
    ] as const
  )("reports all violations at once: %j", ([body, violations]) =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expectViolations(yield* update(body), ...violations)
    }))

  it.effect("accepts a name with much white space around it", () =>
    Effect.gen(function*() {
      const { update } = yield* updated
      expect((yield* update({ name: `${" ".repeat(1_023)}a` })).status).toBe(200)
    }))
})
