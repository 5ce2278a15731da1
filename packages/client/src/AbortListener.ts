interface Listener {
  readonly actions: Set<() => void>
  readonly onAbort: () => void
}

const listeners = new WeakMap<AbortSignal, Listener>()

const listenerOf = (signal: AbortSignal): Listener => {
  const present = listeners.get(signal)
  if (present !== undefined) return present
  const actions = new Set<() => void>()
  const listener = { actions, onAbort: () => actions.forEach((action) => action()) }
  listeners.set(signal, listener)
  signal.addEventListener("abort", listener.onAbort)
  return listener
}

/**
 * Does the action when the signal is aborted, unless the returned function is called before. One listener serves all calls
 * with a signal, because Node 20 warns of a leak if there are more than ten. `AbortSignal.any` needs browsers of 2024.
 */
export const onAbort = (signal: AbortSignal, action: () => void): () => void => {
  const listener = listenerOf(signal)
  listener.actions.add(action)
  return () => {
    listener.actions.delete(action)
    if (listener.actions.size > 0) return
    signal.removeEventListener("abort", listener.onAbort)
    listeners.delete(signal)
  }
}
