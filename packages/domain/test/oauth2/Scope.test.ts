import { describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { FastCheck } from "effect"
import { InvalidScope, parse, Scope } from "../../src/oauth2/Scope.ts"

describe("a list of scopes", () => {
  it("may repeat them, and any number of spaces", () => {
    assertRight(parse("  bot   identify bot "), ["identify", "bot"])
  })

  it.each(["", "  "])("that is blank (%j) is invalid", (list) => {
    assertLeft(parse(list), new InvalidScope({ scope: "" }))
  })

  it.each([
    ["an unknown one", "identify admin", "admin"],
    ["capitals", "Bot", "Bot"],
    ["commas", "identify,bot", "identify,bot"],
    ["a tab between them", "identify\tbot", "identify\tbot"],
    ["a name of JavaScript's own", "constructor", "constructor"]
  ])("with %s is invalid, and the error has the first invalid scope", (_, list, scope) => {
    assertLeft(parse(list), new InvalidScope({ scope }))
  })

  it.prop("of known ones in any order returns each once", {
    scopes: FastCheck.array(FastCheck.constantFrom(...Scope.literals), { minLength: 1, maxLength: 10 })
  }, ({ scopes }) => {
    assertRight(parse(scopes.join(" ")), Scope.literals.filter((scope) => scopes.includes(scope)))
  })
})
