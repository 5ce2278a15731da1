import { httpLaws } from "@community-messaging/http-laws/AllLaws"
import { served } from "./Served.ts"

httpLaws(served())
