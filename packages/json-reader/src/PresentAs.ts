/**
 * Identifies the annotation of a schema that accepts any value, with the type by which it is read: a value of another type
 * is treated as missing.
 */
export const PresentAs: unique symbol = Symbol.for("@community-messaging/json-reader/PresentAs")
