import { RateLimits } from "@community-messaging/http-adapter/rate-limit/RateLimits"
import { rateLimitLaws } from "@community-messaging/http-laws/RateLimitLaws"
import { Duration } from "effect"
import { served } from "./Served.ts"

// The test's clock keeps every timer that was ever set: without deadlines there are none.
rateLimitLaws(served({ rateLimits: RateLimits.layer(), deadline: Duration.infinity }))
