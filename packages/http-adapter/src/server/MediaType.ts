import { Option } from "effect"

/** A media type with its parameters (RFC 9110, 8.3.1), in lower case but for the values of parameters. */
export interface MediaType {
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

/** The media type that a `Content-Type` header names; none where it names none. */
export const parse = (header: string): Option.Option<MediaType> => {
  const [essence, ...rest] = header.split(";")
  const type = (essence ?? "").trim().toLowerCase()
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return Option.none()
  const parameters = rest.flatMap((parameter): ReadonlyArray<readonly [string, string]> => {
    const at = parameter.indexOf("=")
    if (at === -1) return []
    return [[parameter.slice(0, at).trim().toLowerCase(), parameter.slice(at + 1).trim().replace(/^"(.*)"$/, "$1")]]
  })
  return Option.some({ essence: type, parameters: new Map(parameters) })
}

const isJsonType = (essence: string): boolean =>
  essence === "application/json" || /^application\/[^\s/]+\+json$/.test(essence)

/** Whether this is JSON (RFC 8259; `+json` of RFC 6839) in UTF-8. */
export const isJson = ({ essence, parameters }: MediaType): boolean =>
  isJsonType(essence) && /^utf-?8$/i.test(parameters.get("charset") ?? "utf-8")

/** Whether this is a form, as browsers send them. */
export const isForm = ({ essence }: MediaType): boolean => essence === "application/x-www-form-urlencoded"
