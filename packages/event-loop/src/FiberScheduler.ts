import { Scheduler } from "effect"

/** The priority of a fiber that has taken the maximum of steps, so that others get their turn. */
const LATER = 1

/** The maximum of steps of a fiber before others get their turn: Effect's default. */
const MAX_STEPS = 2048

/**
 * Schedules many short fibers, such as one for each request. A fiber that waited continues in the same turn of the event
 * loop, as with Effect's own scheduler. That one has each fiber in a weak map, which costs the garbage collector time. A
 * fiber that takes many steps leaves the rest of the turn to others.
 */
export const fiberScheduler: Scheduler.Scheduler = Scheduler.make(
  (task, priority) => {
    if (priority === LATER) setImmediate(task)
    else void Promise.resolve().then(task)
  },
  // Runs before each step. Effect's default looks up the maximum and the priority among the values of the fiber.
  ({ currentOpCount }) => currentOpCount > MAX_STEPS ? LATER : false
)
