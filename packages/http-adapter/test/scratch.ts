import { document } from "@community-messaging/http-adapter/definition/OpenApiDocument"
process.stdout.write(JSON.stringify(document, null, 1))
