import { Option } from "effect"
import * as WebUrl from "../WebUrl.ts"
import type { IssuePage } from "./Notification.ts"

/** The address of an issue in the tracker's API, which names its organization and its id. */
const API = /^(https?:\/\/[^/]+)\/api\/0\/(?:organizations\/([^/?#]+)\/)?(?:issues|groups)\/([0-9]+)\/?$/i

const ofApi = (apiUrl: string): Option.Option<WebUrl.WebUrl> => {
  const [, origin = "", organization = "", id = ""] = API.exec(apiUrl) ?? []
  return WebUrl.fromText(
    organization === "" ? `${origin}/issues/${id}/` : `${origin}/organizations/${organization}/issues/${id}/`
  )
}

const ofProject = (projectUrl: string, id: string): Option.Option<WebUrl.WebUrl> => {
  const origin = /^https?:\/\/[^/?#]+/i.exec(projectUrl)?.[0] ?? ""
  return /^[0-9]+$/.test(id) ? WebUrl.fromText(`${origin}/issues/${id}/`) : Option.none()
}

/** Returns the page of an issue, built from the fields of the notification; none if they are not enough. */
export const issueUrl = ({ apiUrl, id, permalink, projectUrl, webUrl }: IssuePage): Option.Option<WebUrl.WebUrl> =>
  Option.firstSomeOf([
    Option.flatMap(permalink, WebUrl.fromText),
    Option.flatMap(webUrl, WebUrl.fromText),
    Option.flatMap(apiUrl, ofApi),
    Option.flatMap(Option.zipWith(projectUrl, id, ofProject), (url) => url)
  ])
