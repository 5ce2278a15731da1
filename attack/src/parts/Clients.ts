import type { Part } from "../Part.ts"
import { attackInTurn } from "./Attacked.ts"

/** Clients that are slow, stall, disconnect, do not read, or are too many. */
export const run: Part = (assignment) => attackInTurn("Hostile clients", assignment, "clients")
