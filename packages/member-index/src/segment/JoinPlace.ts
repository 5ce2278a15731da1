import { compareHalves } from "./SnowflakeHalves.ts"

/** The place of a member in join order: by the time in Unix seconds, then by the halves of the user id. */
export interface JoinPlace {
  readonly joinedAt: number
  readonly high: number
  readonly low: number
}

export const comparePlaces = (self: JoinPlace, that: JoinPlace): number =>
  self.joinedAt === that.joinedAt
    ? compareHalves(self.high, self.low, that.high, that.low)
    : self.joinedAt - that.joinedAt
