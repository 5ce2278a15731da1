import * as EventStream from "@community-messaging/domain/event/EventStream"
import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { beforeAll, expect, it } from "@effect/vitest"
import { Array as Arrays, Console, Duration, Effect, Fiber, Random } from "effect"
import { besideLive, temporaryDirectory } from "../composed/ComposedServer.ts"
import { build } from "../program/Program.ts"
import * as Community from "./many-servers/Community.ts"
import * as Disruptions from "./many-servers/Disruptions.ts"
import * as Fleet from "./many-servers/Fleet.ts"
import * as Follower from "./many-servers/Follower.ts"
import * as MemberChanges from "./many-servers/MemberChanges.ts"
import * as SearchComparison from "./many-servers/SearchComparison.ts"
import * as Stored from "./many-servers/Stored.ts"
import * as Traffic from "./many-servers/Traffic.ts"
import * as Verdict from "./many-servers/Verdict.ts"

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

/** The amount of due work; `npm run test:soak` sets more. */
const MESSAGES = setting("SOAK_MESSAGES", 200)
const DELETIONS = setting("SOAK_DELETIONS", 20)

/** How many times a server is killed meanwhile, and how many times connections are cut. */
const KILLS = setting("SOAK_KILLS", 2)

/** The time within which all work becomes due. */
const WITHIN = Duration.seconds(setting("SOAK_SECONDS", 1))

/** The pause of each client between two requests. */
const PAUSE = Duration.millis(setting("SOAK_PAUSE_MILLIS", 300))

/** The number of compared searches of each guild on each server. */
const QUERIES = setting("SOAK_QUERIES", 10)

/** Whether the figures are printed. */
const IS_LONG = KILLS > 2

const TIMEOUT_MILLIS = 400_000 + MESSAGES * 200 + 2 * Duration.toMillis(WITHIN)

/** How long due work may take after all disruptions before it counts as lost. */
const CATCH_UP = Duration.minutes(3)

const SERVERS: Arrays.NonEmptyReadonlyArray<Record<string, string>> = [
  { MEMBER_INDEX: "local" },
  { MEMBER_INDEX: "local" },
  { MEMBER_INDEX: "sharded", CLUSTER_SECRET: "a secret that only these two servers know" },
  { MEMBER_INDEX: "sharded", CLUSTER_SECRET: "a secret that only these two servers know" }
]

beforeAll(build, TIMEOUT_MILLIS)

/** Disrupts servers and database, each time when more of the due messages are posted. */
const disrupt = (
  parts: Parameters<typeof Disruptions.perform>[1],
  followers: ReadonlyArray<Follower.Follower>
) =>
  Effect.gen(function*() {
    const damage: Disruptions.Damage = { kills: 0, backends: 0, crashes: 0 }
    const disruptions = yield* Disruptions.draw(KILLS)
    yield* Effect.forEach(disruptions, (disruption, index) =>
      Effect.zipRight(
        posted(followers, Math.floor((MESSAGES * index) / disruptions.length)),
        Disruptions.perform(disruption, parts, damage)
      ))
    return damage
  })

/** Waits until a follower has received that many due messages. */
const posted = (followers: ReadonlyArray<Follower.Follower>, count: number) =>
  Effect.repeat(Effect.delay(Effect.sync(() => Math.max(...followers.map(({ posts }) => posts()))), "20 millis"), {
    until: (posts) => posts >= count
  })

it.scopedLive(
  `four servers on PostgreSQL, ${KILLS} times killed, cut off and without the database, do each of ${MESSAGES} due messages`
    + ` and ${DELETIONS} due deletions exactly once, and lose nothing`,
  () =>
    Effect.gen(function*() {
      const began = performance.now()
      // With fsync, and a crash instead of a stop: acknowledged data must be on the disk.
      const postgres = yield* LocalPostgres.own({ max_connections: "200" })
      const database = yield* postgres.database
      const shared = {
        STORAGE: "postgres",
        DATABASE_URL: database,
        DATA_DIR: yield* temporaryDirectory,
        CLAIM_LEASE: "2 seconds",
        RATE_LIMITS: "off",
        LOG_LEVEL: "info"
      }
      yield* Effect.gen(function*() {
        const community = yield* Community.seed(MESSAGES, DELETIONS, WITHIN)
        const servers = yield* Fleet.start(Arrays.map(SERVERS, (settings) => ({ ...shared, ...settings })))
        const followers = yield* Effect.forEach(servers, (server) => Follower.follow(server, community.admin))
        let isRunning = true
        const traffic = yield* Traffic.start(servers, community, () => isRunning, PAUSE)
        const members = yield* MemberChanges.start(servers, community, () => isRunning, PAUSE)
        const damage = yield* disrupt({ servers, postgres, database }, followers)
        yield* Effect.timeoutOption(posted(followers, MESSAGES), CATCH_UP)
        isRunning = false
        yield* Effect.zip(Fiber.join(traffic.senders), Fiber.join(members.writers))

        const end = yield* EventStream.end
        yield* Effect.forEach(followers, ({ reaches }) => reaches(end), { concurrency: "unbounded" })
        const log = yield* Stored.events
        const searches = yield* SearchComparison.compare(servers, community, QUERIES)
        const faults = yield* Effect.forEach(servers, (server) => server.faults)
        const gaps = Verdict.gaps(log)
        yield* Effect.when(() => IS_LONG)(Console.log({
          ...damage,
          seconds: Math.round((performance.now() - began) / 1000),
          connectionsOfFollowers: followers.map(({ connections }) => connections()),
          answers: Object.fromEntries(traffic.answers),
          notifications: traffic.notifications(),
          repeatedDeliveries: traffic.repeated(),
          emails: [traffic.emails.acknowledged, traffic.emails.unanswered],
          memberships: [members.memberships.acknowledged, members.memberships.unanswered],
          names: [members.names.acknowledged, members.names.unanswered],
          nextSearches: members.searches(),
          comparedSearches: searches.comparisons,
          foundMembers: searches.hits,
          events: log.length,
          jumpsOfNumbers: gaps
        }))

        const nothing: ReadonlyArray<string> = []
        expect(yield* Verdict.dueWork(log, MESSAGES, DELETIONS)).toEqual({
          posts: nothing,
          undelivered: nothing,
          sentEvents: nothing,
          tombstones: nothing,
          memberships: nothing,
          deletedEvents: nothing,
          leftEvents: nothing
        })
        expect(yield* Verdict.messages(log, traffic.notifications())).toEqual({
          deliveries: nothing,
          messageEvents: nothing
        })
        expect(yield* Verdict.lostWrites(traffic.emails, members)).toEqual({
          emails: nothing,
          names: nothing,
          memberships: nothing
        })
        expect(yield* Verdict.audit(traffic.emails)).toEqual({ gaps: nothing, isComplete: true })
        expect(Arrays.getSomes(followers.map((follower) => Verdict.difference(log, follower)))).toEqual(nothing)
        expect([members.stale, searches.wrong]).toEqual([nothing, nothing])
        expect([faults.flat(), traffic.unexpected()]).toEqual([nothing, nothing])
      }).pipe(Effect.provide(besideLive(shared)))
    }).pipe(Effect.withRandom(Random.make("disruptions"))),
  TIMEOUT_MILLIS
)
