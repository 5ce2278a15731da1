import { Scheduler } from "effect"

/** The priority of a fiber that has taken so many steps that others are to have their turn. */
const LATER = 1

/** How many steps a fiber takes at most until others have their turn: as many as by default. */
const MAX_STEPS = 2048

/**
 * Schedules the fibers of requests. A fiber that waited goes on in the same turn of the event loop, as with Effect's own
 * scheduler, which however keeps each fiber in a weak map: with one fiber for each request, that is work for the garbage
 * collector. A fiber that takes many steps leaves the rest of the turn to others.
 */
export const requestScheduler: Scheduler.Scheduler = Scheduler.make(
  (task, priority) => {
    if (priority === LATER) setImmediate(task)
    else void Promise.resolve().then(task)
  },
  // Asked before each step. By default, it would look up the maximum and the priority among the values of the fiber.
  ({ currentOpCount }) => currentOpCount > MAX_STEPS ? LATER : false
)
