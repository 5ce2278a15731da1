import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import { type Array as Arrays, type Duration, Effect, Random, Redacted } from "effect"
import { ACCOUNTS, type Community } from "./Community.ts"
import * as Fleet from "./Fleet.ts"
import { Ledger } from "./Ledger.ts"

/** The title of a notification. */
export const titleOf = (number: number): string => `notification ${number}.`

/** The numbers of concurrent senders of notifications, and of changes of addresses. */
const NOTIFIERS = 4
const EDITORS = 2

/** The errors of callers while a server or the database is down. */
const PASSING = new Set(["SERVICE_UNAVAILABLE", "REQUEST_TIMEOUT", "ConnectionError"])

/** Sends requests to the servers, each to any of them, while `isRunning`. Each sender pauses between two requests. */
export const start = (
  servers: Arrays.NonEmptyReadonlyArray<Fleet.FleetServer>,
  { admin, bot, webhook }: Community,
  isRunning: () => boolean,
  pause: Duration.Duration
) =>
  Effect.gen(function*() {
    const clients = new Map(
      yield* Effect.forEach(servers, (server) =>
        Effect.map(
          CommunityMessaging.make({ baseUrl: server.origin, credentials: { admin, bot }, retries: 0 }),
          (client) => [server, client] as const
        ))
    )
    const someClient = Effect.flatMap(Fleet.any(servers), (server) =>
      Effect.orDie(Effect.fromNullable(clients.get(server))))
    const emails = new Ledger()
    const answers = new Map<string, number>()
    let last = 0
    let repeated = 0
    const count = (answer: string) =>
      Effect.sync(() => answers.set(answer, (answers.get(answer) ?? 0) + 1))

    /** One attempt to have a notification posted. */
    const deliver = (number: number) =>
      Effect.flatMap(someClient, ({ webhooks }) =>
        webhooks.executeErrorTracker({
          path: { webhook_id: webhook.id, token: Redacted.value(webhook.token) },
          headers: { "request-id": `delivery-${number}` },
          body: { action: "created", data: { issue: { id: "1", title: titleOf(number) } } }
        })).pipe(Effect.tapBoth({ onFailure: ({ _tag }) => count(_tag), onSuccess: () => count("204") }))

    const notify = Effect.suspend(() => {
      last += 1
      return Effect.retry(
        Effect.delay(deliver(last), pause),
        { while: () => Effect.sync(() => (repeated += 1) > 0) }
      )
    })

    const changeEmail = (accounts: ReadonlyArray<string>) =>
      Effect.gen(function*() {
        const index = yield* Random.nextIntBetween(0, accounts.length)
        const id = accounts[index] ?? ""
        const email = `user${id}.${emails.acknowledged + emails.unanswered}@example.org`
        const { administration } = yield* someClient
        const changed = administration.changeEmail({ body: { user_id: id, email } })
        yield* Effect.delay(
          emails.write(
            id,
            email,
            Effect.tapBoth(changed, { onFailure: ({ _tag }) => count(_tag), onSuccess: () => count("200") })
          ),
          pause
        )
      })

    for (const id of ACCOUNTS) emails.begin(id, "")
    const senders = yield* Effect.forkScoped(Effect.all([
      ...Array.from({ length: NOTIFIERS }, () => Effect.repeat(notify, { while: isRunning })),
      ...Array.from({ length: EDITORS }, (_, editor) =>
        Effect.repeat(
          changeEmail(ACCOUNTS.filter((__, index) => index % EDITORS === editor)),
          { while: isRunning }
        ))
    ], { concurrency: "unbounded", discard: true }))
    return {
      senders,
      emails,
      notifications: () => last,
      repeated: () => repeated,
      answers,
      /** Responses that no outage explains. */
      unexpected: () => Array.from(answers.keys()).filter((answer) => !answer.startsWith("20") && !PASSING.has(answer))
    }
  })
