import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as FileLock from "@community-messaging/storage-sqlite/FileLock"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Duration, Effect, type Option, Schedule, Schema, type Scope } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { LOCKS } from "../storage/DirectoryLocks.ts"
import * as NewFile from "../storage/NewFile.ts"

/** The facts that are needed to try the demo: its address, the ids and the secrets. */
export const DemoFacts = Schema.Struct({
  base_url: Schema.String,
  bot_token: Schema.Redacted(Schema.String),
  admin_key: Schema.Redacted(Schema.String),
  guild_id: GuildId,
  channel_id: ChannelId,
  user_id: UserId,
  webhook: Schema.Struct({ id: WebhookId, token: Schema.Redacted(Schema.String) }),
  application: Schema.Struct({ client_id: ApplicationId, redirect_uri: Schema.String })
})
export interface DemoFacts extends Schema.Schema.Type<typeof DemoFacts> {}

/** The role of a demo: the owner of `demo.json`, or a guest that runs beside the owner on the same directory. */
export type DemoRole = "owner" | "guest"

const FileContent = Schema.parseJson(DemoFacts, { space: 2 })

const fileIn = (directory: string, name: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(directory, name))

/** How long a demo waits for another one that is starting. It takes some seconds to create the community. */
const START_TIMEOUT = Duration.minutes(1)

/** The file with the owner's facts. */
const OWNERS = "demo.json"

const lock = (directory: string, name: string) =>
  Effect.flatMap(fileIn(directory, name), FileLock.acquire).pipe(
    Effect.mapError(({ cause }) => DataDirectory.unusable(directory, cause))
  )

/**
 * Makes this demo the owner of `demo.json` until the scope ends. Returns false if another running demo is the owner.
 */
export const own = (
  directory: string
): Effect.Effect<boolean, DataDirectory.DataDirectoryUnusable, Path.Path | Scope.Scope> => lock(directory, LOCKS.demo)

/**
 * Runs the effect while no other demo on the directory runs such an effect. So a demo that starts with others finds the
 * owner's facts written, and an owner without facts, which revokes earlier secrets, does not revoke new ones of a guest.
 */
export const oneAtATime = (directory: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    yield* lock(directory, LOCKS.demoStart).pipe(
      Effect.repeat({ until: (held) => held, schedule: Schedule.spaced("20 millis") }),
      Effect.timeoutFail({
        duration: START_TIMEOUT,
        onTimeout: () =>
          new DataDirectory.DataDirectoryUnusable({ path: directory, reason: "another demo is starting" })
      }),
      // Waiting for another process takes real time, even under a test clock.
      Effect.withClock(realTime)
    )
    return yield* effect
  }))

/** Reads the facts of the current or last owner; none if the file does not exist or is not readable. */
export const read = (
  directory: string
): Effect.Effect<Option.Option<DemoFacts>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    return yield* Schema.decode(FileContent)(yield* files.readFileString(yield* fileIn(directory, OWNERS)))
  }).pipe(Effect.option)

/**
 * Writes the facts, including the secrets, atomically, to a file that only its owner can read: `demo.json`, which is kept, so
 * that the next demo has the same secrets, or `demo-<port>.json` of a guest, which is removed when the scope ends.
 */
export const write = (
  directory: string,
  facts: DemoFacts,
  { port, role }: { readonly port: number; readonly role: DemoRole }
): Effect.Effect<string, NewFile.FileRefused | PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* fileIn(directory, role === "owner" ? OWNERS : `demo-${port}.json`)
    if (role === "guest") yield* Effect.addFinalizer(() => Effect.ignore(files.remove(file)))
    const content = yield* Effect.orDie(Schema.encode(FileContent)(facts))
    yield* NewFile.write(file, { replace: true, keep: [] }, (path) => files.writeFileString(path, `${content}\n`))
    return file
  })
