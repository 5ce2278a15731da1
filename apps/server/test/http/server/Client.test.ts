import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Api } from "@community-messaging/http-adapter/Api"
import { MissingPermissions, UnknownGuild } from "@community-messaging/http-adapter/wire/ApiError"
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../Fixtures.ts"
import { TestServer, testServer } from "../TestServer.ts"

const clientOf = (token: Redacted.Redacted) =>
  Effect.flatMap(TestServer, ({ origin }) =>
    HttpApiClient.make(Api, {
      baseUrl: origin,
      transformClient: HttpClient.mapRequest(
        HttpClientRequest.setHeader("authorization", `Bot ${Redacted.value(token)}`)
      )
    }))

layer(Layer.merge(testServer(), FetchHttpClient.layer), { excludeTestServices: true })(
  "A client made from the definition",
  (it) => {
    it.effect("reads responses", () =>
      Effect.gen(function*() {
        const { guild, token, user } = yield* Fixtures.botWithGuild
        const client = yield* clientOf(token)
        const page = yield* client.guildMembers.search({ path: { guild_id: guild.id }, payload: { limit: 1 } })
        expect(page.members.map((member) => member.user_id)).toEqual([user.id])
      }))

    it.effect("distinguishes errors by their type", () =>
      Effect.gen(function*() {
        const { guild } = yield* Fixtures.botWithGuild
        const { token, user } = yield* Fixtures.bot
        const client = yield* clientOf(token)
        const unknown = yield* Effect.flip(
          client.guildMembers.search({ path: { guild_id: GuildId.make("1") }, payload: {} })
        )
        expect(unknown).toBeInstanceOf(UnknownGuild)
        yield* Fixtures.member(guild.id, user.id)
        const forbidden = yield* Effect.flip(client.guildMembers.search({ path: { guild_id: guild.id }, payload: {} }))
        expect(forbidden).toBeInstanceOf(MissingPermissions)
      }))

    it.effect("repeats the status parameter", () =>
      Effect.gen(function*() {
        const { token, user } = yield* Fixtures.bot
        yield* Fixtures.scheduledMessage(user.id, { status: "sent" })
        const client = yield* clientOf(token)
        expect(yield* client.scheduledMessages.list({ urlParams: { status: ["sent"] } })).toHaveLength(1)
        expect(yield* client.scheduledMessages.list({ urlParams: { status: ["failed", "cancelled"] } })).toEqual([])
      }))
  }
)
