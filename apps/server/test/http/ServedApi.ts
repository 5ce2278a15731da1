import type { Credentials } from "@community-messaging/domain/access/Credentials"
import type { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import type { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Context } from "effect"

/** Where the API under test is served: its origin, such as `http://127.0.0.1:8080`. */
export class ServedApi extends Context.Tag("@community-messaging/server/test/ServedApi")<
  ServedApi,
  { readonly origin: string }
>() {}

/** What a suite needs: the served API, and what it is served from, to set things up and to look at what became of them. */
export type Tested = ServedApi | StoragePorts | Credentials | Webhooks | SnowflakeGenerator | Digest
