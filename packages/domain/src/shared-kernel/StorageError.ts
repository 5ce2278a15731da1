import { Schema } from "effect"

/** Storage is unavailable, too slow, or failed. The unit of work is rolled back. */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  /** The attempted operation, without any data. */
  operation: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `Storage failed: ${this.operation}`
  }
}
