import { anyCodePoint, utf16Unit } from "@community-messaging/domain-contract/CodePoint"
import * as Samples from "@community-messaging/domain-contract/Samples"
import { describe, expect, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import { UserId } from "../../src/account/User.ts"
import { GuildId } from "../../src/guild/Guild.ts"
import { Application, ApplicationId } from "../../src/oauth2/Application.ts"
import {
  type ConsentRequest,
  InvalidRedirectUri,
  NotABotApplication,
  redirectTo,
  UnsupportedResponseType,
  validate,
  type ValidConsentRequest
} from "../../src/oauth2/ConsentRequest.ts"
import { InvalidScope } from "../../src/oauth2/Scope.ts"
import { KNOWN, NONE, Permissions } from "../../src/shared-kernel/Permissions.ts"

const CLIENT = ApplicationId.make("100")
const GUILD = GuildId.make("1000")
const CALLBACK = "https://app.test/callback"
const OTHER_CALLBACK = "https://app.test/other?source=chat"
const AUTHORISED_PAGE = "https://chat.test/authorised"

const application = (...redirectUris: ReadonlyArray<string>) =>
  Application.make({ id: CLIENT, name: "Planner", botUserId: Option.some(UserId.make("8")), redirectUris })

const check = (of: Application, fields: Partial<ConsentRequest>) =>
  validate(of, Samples.consentRequest(CLIENT, fields), Option.some(AUTHORISED_PAGE))

const valid = (fields: Partial<ValidConsentRequest> = {}): ValidConsentRequest => ({
  scopes: ["identify"],
  redirectUri: CALLBACK,
  bot: Option.none(),
  ...fields
})

describe("the response type of a consent", () => {
  it("may be code, which is the default", () => {
    expect(check(application(CALLBACK), { responseType: Option.some("code") })).toEqual(
      check(application(CALLBACK), {})
    )
    assertRight(check(application(CALLBACK), {}), valid())
  })

  it.each(["token", "", "Code", "code token"])("cannot be %j", (responseType) => {
    assertLeft(
      check(application(CALLBACK), { responseType: Option.some(responseType) }),
      new UnsupportedResponseType({ responseType })
    )
  })
})

describe("the scope of a consent", () => {
  it("must be known", () => {
    assertLeft(check(application(CALLBACK), { scope: "admin" }), new InvalidScope({ scope: "admin" }))
  })
})

describe("the redirect URI of a consent", () => {
  const invalid = new InvalidRedirectUri({ clientId: CLIENT })

  it.each([CALLBACK, OTHER_CALLBACK])("may be any that is registered: %s", (redirectUri) => {
    assertRight(
      check(application(CALLBACK, OTHER_CALLBACK), { redirectUri: Option.some(redirectUri) }),
      valid({ redirectUri })
    )
  })

  it.each([
    ["another", "https://evil.test/callback"],
    ["a longer one", `${CALLBACK}/more`],
    ["one with a slash at the end", `${CALLBACK}/`],
    ["one in capitals", CALLBACK.toUpperCase()],
    ["an empty one", ""]
  ])("must match exactly: not %s", (_, redirectUri) => {
    assertLeft(check(application(CALLBACK), { redirectUri: Option.some(redirectUri) }), invalid)
  })

  it.each([
    "javascript:alert(document.domain)//",
    "JavaScript://app.test/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "blob:https://chat.test/7a1c"
  ])("is not a program or a content, even if it is registered: %s", (redirectUri) => {
    assertLeft(check(application(redirectUri, CALLBACK), { redirectUri: Option.some(redirectUri) }), invalid)
    assertRight(check(application(redirectUri, CALLBACK), {}), valid())
    assertLeft(check(application(redirectUri), {}), invalid)
  })

  it("is the first registered one if it is left out and bot is the only scope", () => {
    assertRight(check(application(CALLBACK, OTHER_CALLBACK), { scope: "bot" }), valid({ scopes: ["bot"] }))
  })

  it("is the service's own page if bot is the only scope and none is registered", () => {
    assertRight(check(application(), { scope: "bot" }), valid({ scopes: ["bot"], redirectUri: AUTHORISED_PAGE }))
  })

  it("may not be left out if none is registered and the service has no page of its own", () => {
    assertLeft(validate(application(), Samples.consentRequest(CLIENT, { scope: "bot" }), Option.none()), invalid)
  })

  it.each<readonly [what: string, registered: ReadonlyArray<string>, fields: Partial<ConsentRequest>]>([
    ["another one for the scope bot", [CALLBACK], { scope: "bot", redirectUri: Option.some("https://evil.test") }],
    ["one for the scope bot if none is registered", [], { scope: "bot", redirectUri: Option.some(CALLBACK) }],
    ["left out if several are registered", [CALLBACK, OTHER_CALLBACK], {}],
    ["left out if none is registered", [], {}],
    ["left out for more than bot, if several are registered", [CALLBACK, OTHER_CALLBACK], { scope: "bot identify" }],
    ["left out for more than bot, if none is registered", [], { scope: "bot identify" }]
  ])("cannot be %s", (_, registered, fields) => {
    assertLeft(check(application(...registered), fields), invalid)
  })
})

describe("the bot of a consent", () => {
  const permissions = Option.some(Permissions.make(KNOWN.SPEAK))
  const withoutBot = Application.make({ id: CLIENT, name: "Planner", redirectUris: [CALLBACK] })

  it("is added with the known permissions if the request has the scope bot and a guild", () => {
    const unknownToo = Option.some(Permissions.make(KNOWN.SPEAK | (1n << 60n)))
    assertRight(
      check(application(CALLBACK), { scope: "bot", guildId: Option.some(GUILD), permissions: unknownToo }),
      valid({ scopes: ["bot"], bot: Option.some({ guildId: GUILD, permissions: Permissions.make(KNOWN.SPEAK) }) })
    )
  })

  it("gets no permission that is not requested", () => {
    assertRight(
      check(application(CALLBACK), { scope: "bot", guildId: Option.some(GUILD) }),
      valid({ scopes: ["bot"], bot: Option.some({ guildId: GUILD, permissions: NONE }) })
    )
  })

  it("is not added without a guild", () => {
    assertRight(check(application(CALLBACK), { scope: "bot", permissions }), valid({ scopes: ["bot"] }))
  })

  it("is not added without the scope bot: the guild is ignored", () => {
    assertRight(check(application(CALLBACK), { guildId: Option.some(GUILD), permissions }), valid())
    assertRight(check(withoutBot, { guildId: Option.some(GUILD), permissions }), valid())
  })

  it("must belong to the application", () => {
    assertLeft(
      check(withoutBot, { scope: "bot", guildId: Option.some(GUILD) }),
      new NotABotApplication({ clientId: CLIENT })
    )
  })
})

describe("the redirect after consent", () => {
  const sentTo = (redirectUri: string, state?: string) =>
    redirectTo(valid({ redirectUri }), "CODE", Option.fromNullable(state))

  it("has guild and permissions last, if a bot was added", () => {
    const bot = Option.some({ guildId: GUILD, permissions: Permissions.make(32n) })
    expect(redirectTo(valid({ bot }), "CODE", Option.some("xyz"))).toBe(
      "https://app.test/callback?code=CODE&state=xyz&guild_id=1000&permissions=32"
    )
  })

  it.each([
    ["a query of its own", "https://app.test/cb?a=1&b=%20", "https://app.test/cb?a=1&b=%20&code=CODE"],
    ["an empty query", "https://app.test/cb?", "https://app.test/cb?code=CODE"],
    ["an ampersand at the end", "https://app.test/cb?a=1&", "https://app.test/cb?a=1&code=CODE"],
    ["no path", "https://app.test", "https://app.test?code=CODE"]
  ])("keeps a redirect URI with %s as it is", (_, redirectUri, expected) => {
    expect(sentTo(redirectUri)).toBe(expected)
  })

  it("has a state with signs that URIs allow encoded as in a form", () => {
    expect(sentTo("https://app.test/cb", "!'()~*-._")).toBe(
      "https://app.test/cb?code=CODE&state=%21%27%28%29%7E*-._"
    )
  })

  it.prop(
    "has every state encoded as a browser encodes a form",
    { state: FastCheck.oneof(FastCheck.string({ unit: anyCodePoint }), FastCheck.string({ unit: utf16Unit })) },
    ({ state }) => {
      const query = new URLSearchParams([["code", "CODE"], ["state", state]])
      expect(sentTo("https://app.test/cb", state)).toBe(`https://app.test/cb?${query.toString()}`)
    }
  )
})
