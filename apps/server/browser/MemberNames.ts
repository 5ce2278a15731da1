import { type Facts, searchMembers } from "./Api.ts"

/** Finds the names of accounts, each once, by the ids of the accounts. */
export class MemberNames {
  readonly #facts: Facts
  readonly #names = new Map<string, Promise<string>>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** Returns the name, or the id of an account that is not a member. */
  of(userId: string): Promise<string> {
    const known = this.#names.get(userId)
    if (known !== undefined) return known
    const name = searchMembers(this.#facts, userId, 1).then(
      ({ members }) => members.find((member) => member.userId === userId)?.name ?? userId,
      () => {
        this.#names.delete(userId)
        return userId
      }
    )
    this.#names.set(userId, name)
    return name
  }
}
