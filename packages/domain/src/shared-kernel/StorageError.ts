import { Schema } from "effect"

/** Storage is out of reach, too slow, or failed. Nothing of the unit of work was kept. */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  /** What was attempted, without any data. */
  operation: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `Storage failed: ${this.operation}`
  }
}
