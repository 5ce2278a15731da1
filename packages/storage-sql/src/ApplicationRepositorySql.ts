import { UserId } from "@community-messaging/domain/account/User"
import { Application } from "@community-messaging/domain/oauth2/Application"
import type { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { Schema } from "effect"
import { column, json, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const ApplicationRow = Schema.Struct({
  id: Application.fields.id,
  name: Application.fields.name,
  botUserId: nullable("bot_user_id", UserId),
  redirectUris: column("redirect_uris", json(Application.fields.redirectUris))
})

/** `ApplicationRepository` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof ApplicationRepository.Service => {
  const applications = Table.make({ send, sql }, {
    name: "applications",
    row: ApplicationRow,
    snowflakes: ["id", "bot_user_id"]
  })
  return {
    find: (id) => attempt("find an application")(applications.first`WHERE id = ${id}`),
    save: (application) => write(attempt("save an application")(applications.save(application))),
    list: (page) => attempt("list applications")(applications.page(page))
  }
}
