import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import * as WorkerNumber from "@community-messaging/domain/shared-kernel/WorkerNumber"
import { createService } from "@community-messaging/service/CreateService"
import type { MountedApi, Service } from "@community-messaging/service/Service"
import { isServiceError } from "@community-messaging/service/ServiceError"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Context, DateTime, Deferred, Effect, FiberId, Layer, Option } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"

const services: Array<Service> = []

const open = async (options: Partial<Parameters<typeof createService>[0]> = {}) => {
  const service = await createService({ storage: { kind: "memory" }, ...options })
  services.push(service)
  return service
}

afterEach(() => Promise.all(services.splice(0).map((service) => service.close())))

/** A file in a folder that is removed after the test, when its services are closed. */
const temporaryFile = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "community-messaging-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}

/** Serves a mounted API until the test ends. Returns its origin. */
const served = async (api: MountedApi): Promise<string> => {
  const server = createServer((request, response) => api.listener(request, response, () => response.end("mine")))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

/** Waits for more turns of the event loop than a call on a storage in memory, or work in the background, takes. */
const someTurns = () => Effect.runPromise(Effect.repeatN(Effect.promise(() => setImmediate()), 50))

/** A guild with its owner and a channel. */
const community = async (service: Service) => {
  const owner = await service.createUser({ username: "ada", bot: true })
  const guild = await service.createGuild({ name: "Analytical Engines", owner_id: owner.id })
  const channel = await service.createChannel({ guild_id: guild.id, name: "general" })
  return { owner, guild, channel }
}

/** A storage on which an account is deleted by the unit of work that has locked it, while another one waits for the lock. */
const deletingWhileLocked = (username: string) =>
  Layer.map(StorageMemory.layer, (ports) => {
    const { lock, ...unitOfWork } = Context.get(ports, UnitOfWork)
    const users = Context.get(ports, UserRepository)
    const erase = Effect.gen(function*() {
      const all = yield* users.list({ after: Option.none(), limit: 100 })
      const now = yield* DateTime.now
      const named = all.filter((user) => user.username === username)
      yield* Effect.forEach(named, (user) => users.save(tombstone(user, now)))
    })
    return Context.add(ports, UnitOfWork, {
      ...unitOfWork,
      lock: (...aggregates) => Effect.zipRight(lock(...aggregates), Effect.orDie(erase))
    })
  })

/** A storage with an account whose deletion is due. */
const withDueDeletion = Layer.tap(StorageMemory.layer, (ports) => {
  const user = Users.create({ id: Users.UserId.make("1"), username: "ada" })
  const pendingDeletionAt = Option.some(DateTime.unsafeMake("2020-01-01T00:00:00.000Z"))
  return Context.get(ports, UserRepository).save({ ...user, pendingDeletionAt })
})

/** A storage that saves an account when `isOpen` is done. */
const savingSlowly = (isOpen: Effect.Effect<void>) =>
  Layer.map(StorageMemory.layer, (ports) => {
    const users = Context.get(ports, UserRepository)
    return Context.add(ports, UserRepository, {
      ...users,
      save: (user) => Effect.zipRight(isOpen, users.save(user))
    })
  })

/** The error with which the promise rejects. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => expect.fail("The promise was not rejected."), (error: unknown) => error)

describe("the operations", () => {
  it("search the members of a guild", async () => {
    const service = await open()
    const { guild, owner } = await community(service)
    const jon = await service.createUser({ username: "jon", global_name: "Jón" })
    await service.saveMember({ guild_id: guild.id, user_id: jon.id, nickname: "J." })
    const found = await service.searchGuildMembers({ user_id: owner.id, guild_id: guild.id, query: "jon" })
    expect(found).toMatchObject({
      total_result_count: 1,
      members: [{ user_id: jon.id, nickname: "J.", is_bot: false }]
    })
    await service.removeMember({ guild_id: guild.id, user_id: jon.id })
    const left = await service.searchGuildMembers({ user_id: owner.id, guild_id: guild.id })
    expect(left.members.map(({ user_id: id }) => id)).toEqual([owner.id])
  })

  it("grant consent, whose code is redeemed once, to applications whose redirect URIs are no programs", async () => {
    const service = await open()
    const { owner } = await community(service)
    const application = await service.createApplication({
      name: "Weather",
      redirect_uris: ["https://weather.example/cb"]
    })
    const { redirect_to: url } = await service.grantConsent({
      user_id: owner.id,
      client_id: application.id,
      scope: "identify",
      state: "x y"
    })
    expect(new URL(url).searchParams.get("state")).toBe("x y")
    const code = new URL(url).searchParams.get("code") ?? ""
    const redeemed = await service.redeemCode({ client_id: application.id, code })
    expect(redeemed).toMatchObject({ user_id: owner.id, scopes: ["identify"] })
    expect(await service.authenticateAccessToken({ access_token: redeemed.access_token })).toEqual({
      user_id: owner.id,
      client_id: application.id,
      scopes: ["identify"]
    })
    expect(await rejection(service.redeemCode({ client_id: application.id, code }))).toMatchObject({
      _tag: "InvalidGrant"
    })
    const program = service.createApplication({ name: "Clouds", redirect_uris: ["javascript:alert(1)"] })
    expect(await rejection(program)).toMatchObject({
      _tag: "InvalidInput",
      violations: [{
        path: "redirect_uris",
        message: "must be addresses: blob, data, javascript and vbscript are not accepted"
      }]
    })
  })

  it("schedule, edit, list and cancel messages", async () => {
    const service = await open()
    const { channel, owner } = await community(service)
    const message = await service.scheduleMessage({
      user_id: owner.id,
      channel_id: channel.id,
      scheduled_local_at: new Date(Date.now() + 86_400_000).toISOString().slice(0, 19),
      timezone: "UTC",
      payload: { content: "Good morning" }
    })
    expect(message).toMatchObject({ status: "scheduled", payload: { content: "Good morning" }, status_reason: null })
    expect(await service.listScheduledMessages({ user_id: owner.id })).toEqual([message])
    const payload = { content: "Good evening" }
    const edited = await service.editScheduledMessage({ user_id: owner.id, id: message.id, payload })
    expect(edited).toEqual({ ...message, payload: { ...message.payload, ...payload } })
    const late = { user_id: owner.id, id: message.id, scheduled_local_at: "2020-01-01T00:00:00" }
    expect(await rejection(service.editScheduledMessage(late))).toMatchObject({
      violations: [{ path: "scheduled_local_at" }]
    })
    expect(await service.cancelScheduledMessage({ user_id: owner.id, id: message.id })).toMatchObject({
      status: "cancelled"
    })
    expect(await service.listScheduledMessages({ user_id: owner.id })).toEqual([])
  })

  it("schedule and cancel the deletion of an account, and change an address", async () => {
    const service = await open()
    const { owner: { id } } = await community(service)
    const { user } = await service.scheduleAccountDeletion({ user_id: id, reason_code: 1, days_until_deletion: 2 })
    expect(user.pending_deletion_at).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect((await service.cancelAccountDeletion({ user_id: id })).user.pending_deletion_at).toBe(null)
    expect((await service.changeUserEmail({ user_id: id, email: " ada@example.org" })).user.email).toBe(
      "ada@example.org"
    )
  })

  it("turn notifications into messages", async () => {
    const service = await open()
    const { channel } = await community(service)
    const { id, token } = await service.createWebhook({ channel_id: channel.id, name: "Builds" })
    const star = {
      webhook_id: id,
      token,
      event: "watch",
      delivery_id: "1",
      notification: { action: "started", sender: { login: "ada" }, repository: { full_name: "riverside/kiln" } }
    }
    expect(await service.executeCodeHostWebhook(star)).toMatchObject({
      posted: true,
      message: { channel_id: channel.id, author: { type: "webhook", name: "Builds" } }
    })
    expect(await service.executeCodeHostWebhook(star)).toEqual({ posted: false, reason: "duplicate delivery" })
    const issue = { action: "resolved", data: { issue: { id: "1", title: "TypeError" } } }
    const resolved = await service.executeErrorTrackerWebhook({
      webhook_id: id,
      token,
      event: "issue",
      notification: issue
    })
    expect(resolved).toMatchObject({ posted: true })
    expect(await service.listMessages({ channel_id: channel.id })).toHaveLength(2)
    expect(await service.updateWebhook({ webhook_id: id, token, name: "Kiln" })).toMatchObject({ name: "Kiln", token })
    const opened = { action: "opened", sender: {}, issue: { title: "Cold kiln" } }
    // An empty header is missing, as for the HTTP API.
    const withoutHeaders = { webhook_id: id, token, event: "", delivery_id: "", notification: opened }
    expect(await service.executeCodeHostWebhook(withoutHeaders)).toMatchObject({ posted: true })
    expect(await service.executeCodeHostWebhook(withoutHeaders)).toMatchObject({ posted: true })
  })
})

/** The value with members that are undefined. The compiler rejects them here, but not in most other programs. */
const withUndefined = <A extends object>(value: A, ...names: ReadonlyArray<string>): A =>
  Object.assign(value, Object.fromEntries(names.map((name) => [name, undefined])))

/** Options of a program with classes. */
class Settings {
  readonly storage = { kind: "memory" } as const
}

class Sender {
  readonly login = "ada"
}

describe("an input", () => {
  it("whose members throw errors rejects the promise of the call", async () => {
    const service = await open()
    const input = {
      get username(): string {
        throw new Error("a bug of the caller")
      }
    }
    await expect(service.createUser(input)).rejects.toThrow("a bug of the caller")
  })
})

describe("a text with half of a surrogate pair", () => {
  it("is returned as it is stored: with U+FFFD instead", async () => {
    const service = await open()
    expect(await service.createUser({ username: "a\ud800" })).toMatchObject({ username: "a\ufffd" })
  })
})

describe("an optional field that is undefined", () => {
  it("is treated as left out, and is a violation if the field is required", async () => {
    const service = await open(withUndefined({}, "worker", "rateLimits"))
    await (await createService(withUndefined(new Settings(), "worker"))).close()
    const { channel, guild, owner } = await community(service)
    const user = await service.createUser(withUndefined({ username: "bo" }, "global_name", "email"))
    expect(user).toMatchObject({ global_name: null, email: null })
    const search = withUndefined({ user_id: owner.id, guild_id: guild.id }, "query", "limit")
    expect(await service.searchGuildMembers(search)).toMatchObject({ total_result_count: 1 })
    const { id, token } = await service.createWebhook({ channel_id: channel.id, name: "Builds" })
    const notification = {
      sender: withUndefined({ login: "ada" }, "html_url"),
      ref: "refs/heads/main",
      commits: [withUndefined({ message: "Fix" }, "url", "author")]
    }
    expect(
      await service.executeCodeHostWebhook({
        webhook_id: id,
        token,
        event: "push",
        notification: withUndefined(notification, "compare", "before")
      })
    ).toMatchObject({ posted: true })
    const sender = withUndefined(new Sender(), "html_url")
    expect(
      await service.executeCodeHostWebhook({
        webhook_id: id,
        token,
        event: "watch",
        notification: { action: "started", sender, repository: { name: "kiln" } }
      })
    ).toMatchObject({ posted: true })
    expect(await rejection(service.createUser(withUndefined({ username: "bo" }, "username")))).toMatchObject({
      violations: [{ path: "username", code: "REQUIRED" }]
    })
  })
})

describe("an input that is nested too deeply", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`)
  const circular: { readonly members: Array<unknown> } = { members: [] }
  circular.members.push(circular, circular)

  it.each([["by a third party", deep], ["because it contains itself", circular]])(
    "is rejected, %s",
    async (_, other) => {
      const service = await open()
      const notification = { sender: { login: "ada" }, other }
      const call = service.executeCodeHostWebhook({ webhook_id: "1", token: "none", event: "push", notification })
      expect(await rejection(call)).toMatchObject({
        violations: [{ path: "root", message: "must not be nested more than 64 levels deep" }]
      })
    }
  )
})

describe("an error", () => {
  it("of the input names each field", async () => {
    const service = await open()
    const error = await rejection(service.changeUserEmail({ user_id: "x", email: "nobody" }))
    expect(isServiceError(error)).toBe(true)
    expect(error).toMatchObject({
      _tag: "InvalidInput",
      violations: [
        { path: "user_id", code: "INVALID_SNOWFLAKE_FORMAT" },
        { path: "email", code: "INVALID_EMAIL_FORMAT" }
      ]
    })
    expect(String(error)).toContain("email must be")
  })

  it("is a guild, a channel, a role or an application without a name", async () => {
    const service = await open()
    const { guild, owner } = await community(service)
    const refused = await Promise.all([
      service.createGuild({ name: "", owner_id: owner.id }),
      service.createChannel({ guild_id: guild.id, name: "" }),
      service.createRole({ guild_id: guild.id, name: "", permissions: "32" }),
      service.createApplication({ name: "" })
    ].map(rejection))
    for (const error of refused) {
      expect(error).toMatchObject({
        _tag: "InvalidInput",
        violations: [{ path: "name", message: "must not be empty" }]
      })
    }
  })

  it("of a role of another guild names its place in the list", async () => {
    const service = await open()
    const { guild, owner } = await community(service)
    const role = await service.createRole({ guild_id: guild.id, name: "helper", permissions: "32" })
    const saving = service.saveMember({ guild_id: guild.id, user_id: owner.id, role_ids: [role.id, "1"] })
    expect(await rejection(saving)).toMatchObject({ violations: [{ path: "role_ids.1" }] })
  })

  it("of an owner, who cannot leave, has the guild and the account", async () => {
    const service = await open()
    const { guild, owner } = await community(service)
    expect(await rejection(service.removeMember({ guild_id: guild.id, user_id: owner.id }))).toMatchObject({
      _tag: "OwnerNotRemovable",
      guildId: guild.id,
      userId: owner.id
    })
  })

  it("of an unknown account, guild, channel or webhook has its id", async () => {
    expect(isServiceError(new Error("a bug"))).toBe(false)
    const service = await open()
    const error = await rejection(service.createGuild({ name: "Engines", owner_id: "12" }))
    expect(isServiceError(error) && error._tag === "UnknownUser" ? error.userId : "another").toBe("12")
    expect(await rejection(service.createChannel({ guild_id: "7", name: "x" }))).toMatchObject({
      guildId: "7",
      message: "There is no guild 7, or the account is not in it."
    })
    expect(await rejection(service.createWebhook({ channel_id: "8", name: "x" }))).toMatchObject({
      channelId: "8",
      message: "There is no channel 8."
    })
    expect(await rejection(service.updateWebhook({ webhook_id: "9", token: "x" }))).toMatchObject({
      webhookId: "9",
      message: "There is no webhook 9."
    })
  })

  it.each<
    readonly [
      what: string,
      payload: Parameters<Service["scheduleMessage"]>[0]["payload"],
      violations: ReadonlyArray<object>
    ]
  >([
    ["a number in a payload that is not an integer", {
      embeds: [{ color: 0.5 }],
      attachments: [{ size: 0.5 }]
    }, [
      { path: "payload.embeds.0.color", message: "must be an integer" },
      { path: "payload.attachments.0.size", message: "must be an integer" }
    ]],
    ["a number in a payload that is out of range", {
      embeds: [{ color: 2 ** 31 }],
      attachments: [{ size: 2 ** 53 }, { size: Number.NaN }]
    }, [
      { path: "payload.embeds.0.color", message: "must be -2147483648 to 2147483647" },
      { path: "payload.attachments.0.size", message: "must be -9007199254740991 to 9007199254740991" },
      { path: "payload.attachments.1.size", message: "must be -9007199254740991 to 9007199254740991" }
    ]],
    ["a timestamp in a payload that depends on the machine", {
      embeds: [{ timestamp: "2027-03-28T09:30:00" }, { timestamp: "March 7" }]
    }, [{ path: "payload.embeds.0.timestamp" }, { path: "payload.embeds.1.timestamp" }]],
    ["a time in the past", { content: "late" }, [{ path: "scheduled_local_at" }]]
  ])("of %s names its place", async (_, payload, violations) => {
    const service = await open()
    const { channel, owner } = await community(service)
    const scheduling = service.scheduleMessage({
      user_id: owner.id,
      channel_id: channel.id,
      scheduled_local_at: "2001-01-01T00:00:00",
      timezone: "UTC",
      payload
    })
    expect(await rejection(scheduling)).toMatchObject({ violations })
  })

  it("of the options names the option", async () => {
    expect(await rejection(createService({ storage: { kind: "memory" }, worker: 1024 }))).toMatchObject({
      violations: [{ path: "worker", code: "NUMBER_OUT_OF_RANGE" }]
    })
    expect(await rejection(createService({ storage: { kind: "sqlite", filename: "" } }))).toMatchObject({
      violations: [{ path: "storage.filename" }]
    })
    const mistyped = { storage: { kind: "memory" }, backgroundwork: false } as const
    expect(await rejection(createService(mistyped))).toMatchObject({ violations: [{ path: "backgroundwork" }] })
    const misplaced = { storage: { kind: "sqlite", filename: temporaryFile("database.sqlite"), worker: 3 } } as const
    expect(await rejection(createService(misplaced))).toMatchObject({ violations: [{ path: "storage.worker" }] })
    const service = await open()
    expect(await rejection(service.mountHttp({ publicUrl: "example.org", prefix: "a b" }))).toMatchObject({
      violations: [{ path: "publicUrl" }, { path: "prefix" }]
    })
    const invalid = ["https://x:99999", "https://[bad", "https://user:secret@a.example"]
    for (const publicUrl of invalid) {
      // oxlint-disable-next-line no-await-in-loop -- One after another.
      expect(await rejection(service.mountHttp({ publicUrl }))).toMatchObject({ violations: [{ path: "publicUrl" }] })
    }
    const allowedOrigins = ["https://chat.example/"]
    expect(await rejection(service.mountHttp({ publicUrl: "https://a.example", allowedOrigins }))).toMatchObject({
      message: "allowedOrigins.0 must be an http or https origin without a path, such as https://chat.example"
    })
  })

  it("of a worker number that another service on the file has names the option, until that one is closed", async () => {
    const storage = { kind: "sqlite", filename: temporaryFile("database.sqlite") } as const
    const first = await open({ storage })
    const { channel } = await community(first)
    expect(await rejection(createService({ storage }))).toMatchObject({
      _tag: "InvalidInput",
      violations: [{ path: "worker" }]
    })
    await open({ storage, worker: 1 })
    await first.close()
    const later = await open({ storage })
    // The file keeps its data.
    expect(await later.createWebhook({ channel_id: channel.id, name: "Builds" })).toMatchObject({
      channel_id: channel.id
    })
  })

  it("of a storage that cannot be opened is a StorageError that names the file", async () => {
    const missing = { kind: "sqlite", filename: join(tmpdir(), "no such folder", "database.sqlite") } as const
    expect(await rejection(createService({ storage: missing }))).toMatchObject({
      _tag: "StorageError",
      message: `Storage failed: open the database (${missing.filename})`
    })
    const filename = temporaryFile("notes.txt")
    writeFileSync(filename, "This is no database.".repeat(100))
    const error = await rejection(createService({ storage: { kind: "sqlite", filename } }))
    expect(error).toMatchObject({ _tag: "StorageError" })
    expect(String(error)).toContain(`(${filename})`)
  })
})

describe("events", () => {
  it("come in order, and end when the service is closed", async () => {
    const service = await open()
    const { owner } = await community(service)
    const types: Array<string> = []
    for await (const event of service.events()) {
      types.push(event.type)
      if (types.length === 1) await service.changeUserEmail({ user_id: owner.id, email: "ada@example.org" })
      if (types.length === 2) void service.close()
    }
    expect(types).toEqual(["member.joined", "user.updated"])
  })

  it("end for a consumer that leaves while it waits, or begins just before the service closes", async () => {
    const service = await open()
    const events = service.events()[Symbol.asyncIterator]()
    const waiting = events.next()
    const done = { done: true, value: undefined }
    expect(await events.return?.()).toEqual(done)
    expect(await waiting).toEqual(done)
    expect(await events.next()).toEqual(done)
    const first = service.events()[Symbol.asyncIterator]().next()
    const closed = service.close()
    expect(await first).toEqual(done)
    await closed
  })

  it("answer calls that overlap, one event each, and are only later ones from now on", async () => {
    const service = await open()
    const events = service.events()[Symbol.asyncIterator]()
    const waiting = [events.next(), events.next()]
    const { guild, owner } = await community(service)
    await service.changeUserEmail({ user_id: owner.id, email: "ada@example.org" })
    expect(await Promise.all(waiting)).toMatchObject([
      { value: { type: "member.joined" } },
      { value: { type: "user.updated" } }
    ])
    const later = service.events("now")[Symbol.asyncIterator]().next()
    const bob = await service.createUser({ username: "bob" })
    await service.saveMember({ guild_id: guild.id, user_id: bob.id })
    expect((await later).value).toMatchObject({ type: "member.joined", data: { user_id: bob.id } })
  })
})

describe("the service", () => {
  it("accepts a storage of your own, with a worker number, and rejects with its error", async () => {
    const service = await open({ storage: StorageMemory.layer, worker: 0 })
    expect(await service.createUser({ username: "ada" })).toMatchObject({ username: "ada" })
    expect(await rejection(createService({ storage: StorageMemory.layer }))).toMatchObject({
      message: "worker is required: each service on one storage needs another number, 0 to 1023"
    })
    const failing = Layer.fail(new Error("no network"))
    expect(await rejection(createService({ storage: failing }))).toMatchObject({ message: "no network" })
  })

  it("names the program as the actor of what it does, in the audit log", async () => {
    const actors: Array<AuditActor> = []
    const storage = Layer.map(StorageMemory.layer, (ports) => {
      const log = Context.get(ports, AuditLog)
      return Context.add(ports, AuditLog, {
        ...log,
        append: (record) => Effect.zipRight(Effect.sync(() => actors.push(record.actor)), log.append(record))
      })
    })
    const service = await open({ storage, worker: 0 })
    const { owner } = await community(service)
    const token = await service.issueBotToken({ user_id: owner.id })
    await service.revokeCredential({ id: token.id })
    await service.changeUserEmail({ user_id: owner.id, email: "ada@example.org" })
    expect(actors).toEqual([{ _tag: "Program" }, { _tag: "Program" }, { _tag: "Program" }])
  })

  it("makes ids with the worker number that a storage of your own gives", async () => {
    const storage = Layer.merge(StorageMemory.layer, WorkerNumber.fixed(7))
    const service = await open({ storage })
    const { id } = await service.createUser({ username: "ada" })
    expect(Number(BigInt(id) >> 12n & 1023n)).toBe(7)
    expect(await rejection(createService({ storage, worker: 7 }))).toMatchObject({
      message: "worker must be left out, because the storage gives the number"
    })
  })

  it("adds no account to a guild that is deleted at the same time", async () => {
    const service = await open({ storage: deletingWhileLocked("bob"), worker: 0, backgroundWork: false })
    const { guild } = await community(service)
    const bob = await service.createUser({ username: "bob" })
    const expected = { _tag: "UnknownUser", userId: bob.id }
    expect(await rejection(service.saveMember({ guild_id: guild.id, user_id: bob.id }))).toMatchObject(expected)
    expect(await rejection(service.createGuild({ name: "Looms", owner_id: bob.id }))).toMatchObject(expected)
  })

  it("registers no application of a bot account that is deleted at the same time", async () => {
    const service = await open({ storage: deletingWhileLocked("bob"), worker: 0, backgroundWork: false })
    const bob = await service.createUser({ username: "bob", bot: true })
    const registering = service.createApplication({ name: "Weather", bot_user_id: bob.id })
    expect(await rejection(registering)).toMatchObject({ _tag: "UnknownUser", userId: bob.id })
  })

  it("does background work by itself", async () => {
    const service = await open({ storage: withDueDeletion, worker: 0 })
    await someTurns()
    expect(await service.runBackgroundWork()).toMatchObject({ deleteDueAccounts: { claimed: 0 } })
  })

  it("does background work only on request if backgroundWork is false", async () => {
    const service = await open({ storage: withDueDeletion, worker: 0, backgroundWork: false })
    await someTurns()
    expect(await service.runBackgroundWork()).toMatchObject({ deleteDueAccounts: { claimed: 1, done: 1, failed: 0 } })
  })

  it("writes warnings and errors alone to the log, which is the standard error", async () => {
    const output = vi.spyOn(console, "log").mockReturnValue()
    const errors = vi.spyOn(console, "error").mockReturnValue()
    onTestFinished(() => {
      output.mockRestore()
      errors.mockRestore()
    })
    const failing = Layer.map(StorageMemory.layer, (ports) =>
      Context.add(ports, CredentialRepository, {
        ...Context.get(ports, CredentialRepository),
        findBotToken: () => Effect.dieMessage("a bug")
      }))
    const service = await open({ storage: failing, worker: 0 })
    const { owner } = await community(service)
    const { token } = await service.issueBotToken({ user_id: owner.id })
    const origin = await served(await service.mountHttp({ publicUrl: "https://example.org" }))
    await fetch(`${origin}/v1/users/@me/scheduled-messages`, { headers: { authorization: `Bot ${token}` } })
    expect(errors.mock.calls).toEqual([[expect.stringContaining("level=ERROR")]])
    expect(output).not.toHaveBeenCalled()
  })

  it.each([
    ["counts requests", {}, "39"],
    ["counts no requests if rateLimits is false", { rateLimits: false }, null]
  ])("%s", async (_, options, remaining) => {
    const service = await open(options)
    const { owner } = await community(service)
    const { token } = await service.issueBotToken({ user_id: owner.id })
    const origin = await served(await service.mountHttp({ publicUrl: "https://example.org" }))
    const { headers } = await fetch(`${origin}/v1/users/@me/scheduled-messages`, {
      headers: { authorization: `Bot ${token}` }
    })
    expect(headers.get("x-ratelimit-remaining")).toBe(remaining)
  })

  it("accepts all options of its HTTP API", async () => {
    const service = await open()
    const mounting = service.mountHttp({
      publicUrl: "https://example.org",
      prefix: "/chat",
      trustedProxies: 1,
      unknownPaths: "404",
      allowedOrigins: "*",
      maxEventStreamsPerKey: 5
    })
    expect(await mounting).toHaveProperty("listener")
  })

  it("serves the HTTP API in a server of yours", async () => {
    const service = await open()
    const { owner } = await community(service)
    const { token } = await service.issueBotToken({ user_id: owner.id })
    const api = await service.mountHttp({
      publicUrl: "https://example.org",
      prefix: "/chat",
      allowedOrigins: ["https://page.example"]
    })
    const origin = await served(api)
    const answer = await fetch(`${origin}/chat/v1/users/@me/scheduled-messages`, {
      headers: { authorization: `Bot ${token}`, origin: "https://page.example" }
    })
    expect(await answer.json()).toEqual([])
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://page.example")
    expect(await (await fetch(origin)).text()).toBe("mine")
    await service.close()
    expect((await fetch(`${origin}/chat/v1/openapi.json`)).status).toBe(503)
  })

  it("ends calls in progress before it closes, and rejects later ones", async () => {
    const isOpen = Deferred.unsafeMake<void>(FiberId.none)
    const service = await open({ storage: savingSlowly(Deferred.await(isOpen)), worker: 0 })
    const ended: Array<string> = []
    const creating = service.createUser({ username: "ada" }).finally(() => ended.push("call"))
    const closing = service.close().finally(() => ended.push("service"))
    expect(await rejection(service.createUser({ username: "bob" }))).toMatchObject({ _tag: "ServiceClosed" })
    await someTurns()
    Deferred.unsafeDone(isOpen, Effect.void)
    expect(await creating).toMatchObject({ username: "ada" })
    await closing
    expect(ended).toEqual(["call", "service"])
    await service.close()
    const next = service.events()[Symbol.asyncIterator]().next()
    expect(await rejection(next)).toMatchObject({ _tag: "ServiceClosed" })
  })

  it("ends the iterations over its events when it closes, also of a backlog", async () => {
    const service = await open({ storage: { kind: "sqlite", filename: temporaryFile("database.sqlite") } })
    const { guild, owner } = await community(service)
    // More than a page of events.
    for (let index = 0; index < 150; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- The events have an order.
      await service.saveMember({ guild_id: guild.id, user_id: owner.id, nickname: `Ada ${index}` })
    }
    const events = service.events()[Symbol.asyncIterator]()
    expect((await events.next()).done).toBe(false)
    await service.close()
    expect((await events.next()).done).toBe(true)
  })
})
