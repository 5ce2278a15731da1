import { User } from "@community-messaging/domain/account/User"
import { fromEntity } from "@community-messaging/http-adapter/accounts/UserResource"
import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import { inSnakeCase } from "../wire/InSnakeCase.ts"

describe("The resource of an account", () => {
  it.prop("has all of its fields by their names in the reference", { user: User }, ({ user }) => {
    const { deletedAt: _deletedAt, ...fields } = user
    expect(fromEntity(user)).toEqual(inSnakeCase(fields))
  })
})
