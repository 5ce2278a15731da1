import { Option } from "effect"

/** A media type with its parameters (RFC 9110, 8.3.1), in lower case except for the values of parameters. */
export interface MediaType {
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses a `Content-Type` header; none if it is not a valid media type. */
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

/** Returns whether the media type is JSON (RFC 8259; `+json` of RFC 6839) in UTF-8. */
export const isJson = ({ essence, parameters }: MediaType): boolean =>
  isJsonType(essence) && /^utf-?8$/i.test(parameters.get("charset") ?? "utf-8")

/** Returns whether the media type is an HTML form. */
export const isForm = ({ essence }: MediaType): boolean => essence === "application/x-www-form-urlencoded"
