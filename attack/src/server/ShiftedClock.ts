/*
 * Runs in the server process before the server: shifts its wall clock by the milliseconds that its parent sends. The
 * monotonic clock does not change.
 */

const systemNow = Date.now.bind(Date)
let shift = Number(process.env["CLOCK_SHIFT"] ?? 0)

const shiftedNow = (): number => systemNow() + shift

globalThis.Date = new Proxy(Date, {
  construct: (target, parameters: Array<unknown>) => {
    const made: unknown = Reflect.construct(target, parameters.length === 0 ? [shiftedNow()] : parameters)
    return made instanceof target ? made : {}
  },
  get: (target, name): unknown => name === "now" ? shiftedNow : Reflect.get(target, name)
})

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "shift" in message) shift = Number(message.shift)
})
process.channel?.unref()
