import { Option } from "effect"
import { exactText, type Text } from "../NotificationField.ts"
import * as WebUrl from "../WebUrl.ts"
import type { AlertEvent, Issue } from "./Notification.ts"

/** The address of an issue in the tracker's API, which names its organization and its id. */
const API = /^(https?:\/\/[^/]+)\/api\/0\/(?:organizations\/([^/?#]+)\/)?(?:issues|groups)\/([0-9]+)\/?$/i

const ofApi = (apiUrl: Text): Option.Option<WebUrl.WebUrl> => {
  const [, origin = "", organization = "", id = ""] = API.exec(apiUrl ?? "") ?? []
  return WebUrl.fromText(
    organization === "" ? `${origin}/issues/${id}/` : `${origin}/organizations/${organization}/issues/${id}/`
  )
}

const ofProject = (projectUrl: Text, id: string): Option.Option<WebUrl.WebUrl> => {
  const origin = /^https?:\/\/[^/?#]+/i.exec(projectUrl ?? "")?.[0] ?? ""
  return /^[0-9]+$/.test(id) ? WebUrl.fromText(`${origin}/issues/${id}/`) : Option.none()
}

/** Returns the page of an issue, built from the fields of the notification; none if they are not enough. */
export const issueUrl = (issue: Issue): Option.Option<WebUrl.WebUrl> =>
  WebUrl.fromText(issue.permalink).pipe(
    Option.orElse(() => WebUrl.fromText(issue.web_url)),
    Option.orElse(() => ofApi(issue.url)),
    Option.orElse(() => ofProject(issue.project_url, exactText(issue.id)))
  )

/** Returns the page of the event of an issue, or else of the issue. */
export const eventUrl = (event: AlertEvent): Option.Option<WebUrl.WebUrl> =>
  Option.orElse(WebUrl.fromText(event.web_url), () => ofApi(event.issue_url))
