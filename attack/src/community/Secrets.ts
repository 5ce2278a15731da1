import * as Token from "@community-messaging/domain/access/Token"
import { Redacted } from "effect"
import { createHash } from "node:crypto"

/** A token that is the same in each run, so that an attack can be repeated exactly. */
export const token = (kind: Token.TokenKind, name: string): string =>
  Redacted.value(Token.format(kind, createHash("sha256").update(name).digest()))

/** The digest of a token, which the storage has. */
export const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
