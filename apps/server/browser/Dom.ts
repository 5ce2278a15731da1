/** The element of the page with this id. */
export const byId = <E extends Element>(id: string, kind: new() => E): E => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} with the id ${id}`)
  return found
}

/** Makes an element with a class and children. A text becomes a text node: never markup. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  if (className !== "") made.className = className
  made.append(...children)
  return made
}

/** Makes a link that opens in another tab, without a referrer; only the text if the target is not a web page. */
export const link = (target: string, ...children: ReadonlyArray<Node | string>): Node => {
  const isWeb = URL.canParse(target) && ["http:", "https:"].includes(new URL(target).protocol)
  if (!isWeb) return element("span", "", ...children)
  const made = element("a", "", ...children)
  made.href = target
  made.target = "_blank"
  made.rel = "noopener noreferrer nofollow"
  return made
}

const HUES = 6

/** Makes a picture of a name: its first letter. */
export const avatar = (name: string): HTMLElement => {
  const [initial = "?"] = name.replace(/[^\p{L}\p{N}]/gu, "")
  const made = element("span", "avatar", initial.toLocaleUpperCase())
  made.dataset["hue"] = String(Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES)
  made.setAttribute("aria-hidden", "true")
  return made
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" })
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** Makes the display of a moment, in ISO 8601. */
export const moment = (iso: string, className: string, precision: "day" | "time" = "time"): HTMLTimeElement => {
  const format = precision === "day" ? DAY : DAY_AND_TIME
  const made = element("time", className, Number.isNaN(Date.parse(iso)) ? iso : format.format(new Date(iso)))
  made.dateTime = iso
  return made
}
