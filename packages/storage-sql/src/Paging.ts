import { Option } from "effect"

/** A lower bound of all snowflakes. */
export const BEFORE_ALL_IDS = "-1"

/** The id after which a page begins. */
export const lowerBound = (after: Option.Option<string>): string => Option.getOrElse(after, () => BEFORE_ALL_IDS)
