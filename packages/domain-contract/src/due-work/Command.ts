import type { UserId } from "@community-messaging/domain/account/User"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { type Effect, FastCheck } from "effect"
import type { Scene } from "../world/Scene.ts"
import type { UseCases } from "../world/World.ts"
import type * as Model from "./DueWorkModel.ts"

/** The entities in the storage that commands use: the accounts, and the messages that were scheduled so far, by number. */
export interface Storage {
  readonly channel: Scene["channel"]
  readonly authors: ReadonlyArray<Scene["author"]>
  readonly messages: Array<Scheduled>
}

/** A message that was scheduled, and its author. */
export interface Scheduled {
  readonly id: ScheduledMessageId
  readonly authorId: UserId
}

/**
 * A command of a model-based test (fast-check). It runs on the model and on the real storage, and both must return the same
 * result and end in the same state.
 */
export interface Command {
  readonly name: string
  /** The server that runs the command. If both run it at the same time, the results are not compared. */
  readonly server: "first" | "second" | "both"
  /** Whether the model can predict the result of the command in this state. Otherwise the command is skipped. */
  readonly precondition: (model: Model.Model) => boolean
  readonly inModel: (model: Model.Model) => Model.Outcome
  /** `now` is the time in the model afterwards, in Unix milliseconds. */
  readonly inReal: (storage: Storage, now: number) => Effect.Effect<string, unknown, UseCases | StoragePorts>
}

/** One of the two servers. */
export const anyServer = FastCheck.constantFrom<Command["server"]>("first", "second")

/** The precondition of commands that are always possible. */
export const always = () => true
