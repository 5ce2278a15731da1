import type { UserId } from "@community-messaging/domain/account/User"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { type Effect, FastCheck } from "effect"
import type { Scene } from "../world/Scene.ts"
import type { UseCases } from "../world/World.ts"
import type * as Model from "./DueWorkModel.ts"

/** The storage as commands work on it: who is there, and the messages that were scheduled so far, by their numbers. */
export interface Storage {
  readonly channel: Scene["channel"]
  readonly authors: ReadonlyArray<Scene["author"]>
  readonly messages: Array<Scheduled>
}

/** A message that was scheduled, and whose it is. */
export interface Scheduled {
  readonly id: ScheduledMessageId
  readonly authorId: UserId
}

/** Something that happens, in the model and in fact. Both give the same answer and leave the same behind. */
export interface Happening {
  readonly name: string
  /** Which of two servers it happens on; on both at a time nobody can say which of them does what. */
  readonly server: "first" | "second" | "both"
  /** Where the model leaves open what would come of it, it is left out. */
  readonly isTold: (model: Model.Model) => boolean
  readonly inModel: (model: Model.Model) => Model.Stepped
  /** `now` is the moment in the model afterwards, in Unix milliseconds. */
  readonly inFact: (storage: Storage, now: number) => Effect.Effect<string, unknown, UseCases | StoragePorts>
}

/** One of the two servers. */
export const anyServer = FastCheck.constantFrom<Happening["server"]>("first", "second")

/** For what may happen at any time. */
export const always = () => true
