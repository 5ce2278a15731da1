import { element } from "./Dom.ts"

const SECOND = 1000

const padded = (value: number): string => String(value).padStart(2, "0")

/** Returns the remaining time: `14 d 03:59:07`. */
const left = (millis: number): string => {
  const seconds = Math.max(0, Math.ceil(millis / SECOND))
  const days = Math.floor(seconds / 86_400)
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(padded).join(":")
  return days === 0 ? clock : `${days} d ${clock}`
}

/** Makes a display of the time until a moment, in ISO 8601. */
export const countdown = (iso: string): HTMLElement => {
  const made = element("time", "countdown", left(Date.parse(iso) - Date.now()))
  made.dateTime = iso
  return made
}

/** Keeps all displays up to date. */
export const start = (): void => {
  setInterval(() => {
    for (const shown of document.querySelectorAll<HTMLTimeElement>("time.countdown")) {
      shown.textContent = left(Date.parse(shown.dateTime) - Date.now())
    }
  }, SECOND)
}
