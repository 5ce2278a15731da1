import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import {
  embed,
  LEVEL_COLOUR,
  OTHER_LEVEL_COLOUR,
  RESOLVED_COLOUR
} from "../../../src/webhook/error-tracker/ErrorTrackerEmbed.ts"
import {
  type Issue,
  type IssueAlert,
  type IssuePage,
  type MetricAlert,
  Notification
} from "../../../src/webhook/error-tracker/Notification.ts"
import { expectHarmless, hostile } from "../Hostile.ts"
import { shown } from "../Shown.ts"

const NO_PAGE: IssuePage = {
  id: Option.none(),
  permalink: Option.none(),
  webUrl: Option.none(),
  apiUrl: Option.none(),
  projectUrl: Option.none()
}

const issue: Issue = {
  shortId: Option.some("FRONT-END-9"),
  title: Option.some("ReferenceError: a_b is not defined"),
  page: { ...NO_PAGE, permalink: Option.some("https://errors.example/issues/1170820242/") },
  level: Option.some("error"),
  substatus: Option.none(),
  projectName: Option.some("front-end"),
  culprit: Option.some("?(runner)"),
  errorType: Option.some("ReferenceError"),
  errorValue: Option.some("a_b is not defined"),
  eventCount: Option.some("12"),
  userCount: Option.some("3"),
  assignee: Option.none()
}

const actor = (type: string) => Option.some({ name: Option.some("Meredith"), type: Option.some(type) })

const posted = (action: string, parts: Partial<Issue> = {}, others: Partial<Notification> = {}) =>
  shown(embed(
    Option.some("issue"),
    Notification.make({ action: Option.some(action), issue: Option.some({ ...issue, ...parts }), ...others })
  ))

describe("an issue of an error tracker", () => {
  it("posts with the known fields", () => {
    expect(posted("created")).toEqual({
      type: "rich",
      title: "[front-end] New issue: ReferenceError: a\\_b is not defined",
      url: "https://errors.example/issues/1170820242/",
      color: LEVEL_COLOUR["error"],
      fields: [
        { name: "Culprit", value: "`?(runner)`", inline: false },
        { name: "Project", value: "front-end", inline: true },
        { name: "Level", value: "error", inline: true },
        { name: "Short ID", value: "FRONT-END-9", inline: true },
        { name: "Events", value: "12", inline: true },
        { name: "Users affected", value: "3", inline: true }
      ]
    })
  })

  const ERROR = "ReferenceError: a\\_b is not defined"
  const NAMELESS = { title: Option.none(), errorType: Option.none(), errorValue: Option.none() }

  it.each<readonly [what: string, action: string, name: string, parts: Partial<Issue>]>([
    ["New issue", "created", ERROR, {}],
    ["Issue resolved", "resolved", ERROR, { substatus: Option.some("regressed") }],
    ["Issue unresolved", "unresolved", ERROR, {}],
    ["Issue unresolved", "unresolved", ERROR, { substatus: Option.some("ongoing") }],
    ["Issue regressed", "unresolved", ERROR, { substatus: Option.some("regressed") }],
    ["Issue escalating", "unresolved", ERROR, { substatus: Option.some("escalating") }],
    ["Issue assigned", "assigned", ERROR, {}],
    ["Issue archived", "archived", ERROR, {}],
    ["Issue archived", "ignored", ERROR, {}],
    ["New issue", "created", "Checkout failed", { title: Option.some("  Checkout failed ") }],
    ["New issue", "created", ERROR, { title: Option.none() }],
    ["New issue", "created", "FRONT-END-9", NAMELESS]
  ])("is called %s when it is %s, with its title, its error or its short id: %s", (what, action, name, parts) => {
    expect(posted(action, parts)?.title).toBe(`[front-end] ${what}: ${name}`)
  })

  it.each(["triggered", "deleted", "", "constructor"])("makes no message when it is %s", (action) => {
    expect(posted(action)).toBeUndefined()
  })

  it.each<readonly [level: string | undefined, action: string, colour: number | undefined]>([
    ...Object.entries(LEVEL_COLOUR).map(([level, colour]) => [level.toUpperCase(), "created", colour] as const),
    [undefined, "created", OTHER_LEVEL_COLOUR],
    ["toString", "created", OTHER_LEVEL_COLOUR],
    ["error", "resolved", RESOLVED_COLOUR]
  ])("has the colour of its level, and another one when it is resolved: %s, %s", (level, action, colour) => {
    expect(posted(action, { level: Option.fromNullable(level) })?.color).toBe(colour)
  })

  it("does not show counts of zero", () => {
    const names = posted("created", { eventCount: Option.some("0"), userCount: Option.some(" 0 ") })?.fields?.map(
      ({ name }) => name
    )
    expect(names).toEqual(["Culprit", "Project", "Level", "Short ID"])
  })

  it.each<readonly [source: string, page: Partial<IssuePage>, url: string]>([
    [
      "its page",
      { webUrl: Option.some("https://acme.errors.example/issues/7/") },
      "https://acme.errors.example/issues/7/"
    ],
    [
      "its organization and id",
      { apiUrl: Option.some("https://errors.example/api/0/organizations/acme/issues/7/") },
      "https://errors.example/organizations/acme/issues/7/"
    ],
    ["its id", { apiUrl: Option.some("https://errors.example/api/0/issues/7/") }, "https://errors.example/issues/7/"],
    [
      "the page of its project",
      { id: Option.some("7"), projectUrl: Option.some("https://acme.errors.example/issues/?project=1") },
      "https://acme.errors.example/issues/7/"
    ],
    [
      "the page of its project without encryption",
      { id: Option.some("70"), projectUrl: Option.some("http://errors.example") },
      "http://errors.example/issues/70/"
    ]
  ])("has a link that is made of %s if it has no permalink", (_, page, url) => {
    expect(posted("created", { page: { ...NO_PAGE, ...page } })?.url).toBe(url)
  })

  it.each<Partial<IssuePage>>([
    { permalink: Option.some("javascript:alert(1)") },
    { apiUrl: Option.some("https://errors.example/api/0/projects/acme/app/") },
    { id: Option.some("../7"), projectUrl: Option.some("https://errors.example/") },
    { id: Option.some("7/.."), projectUrl: Option.some("https://errors.example/") },
    { id: Option.some("7"), projectUrl: Option.some("ftp://errors.example/") },
    { id: Option.some("7"), projectUrl: Option.some("see https://errors.example/") }
  ])("has no link if the notification has no URL of it: %j", (page) => {
    expect(posted("created", { page: { ...NO_PAGE, ...page } })?.url).toBeUndefined()
  })

  it("shows the error's message if the title does not", () => {
    const parts = { title: Option.some("Checkout failed"), errorValue: Option.some("`total` is <NaN>") }
    expect(posted("created", parts)?.description).toBe("\\`total\\` is \\<NaN\\>")
  })

  it("shows its assignee", () => {
    expect(posted("assigned", { assignee: Option.some("Meredith") })?.fields)
      .toContainEqual({ name: "Assigned to", value: "Meredith", inline: true })
  })

  it("shows the actor, unless it is an application", () => {
    expect(posted("resolved", {}, { actor: actor("user") })?.author).toEqual({ name: "Meredith" })
    expect(posted("created", {}, { actor: actor("application") })?.author).toBeUndefined()
  })

  it("posts when nothing is known of it", () => {
    const nothing = {
      shortId: Option.none(),
      title: Option.none(),
      page: NO_PAGE,
      level: Option.none(),
      projectName: Option.none(),
      culprit: Option.none(),
      errorType: Option.none(),
      errorValue: Option.none(),
      eventCount: Option.none(),
      userCount: Option.none()
    }
    expect(posted("created", nothing)).toEqual({ type: "rich", title: "New issue", color: OTHER_LEVEL_COLOUR })
  })
})

describe("a resource of an error tracker", () => {
  const created = Notification.make({ action: Option.some("created"), issue: Option.some(issue) })

  it("is an issue if there is no header and the notification has an issue", () => {
    expect(embed(Option.none(), created)).toStrictEqual(embed(Option.some("issue"), created))
  })

  it.each(["error", "event_alert", "metric_alert", "comment", "installation", "constructor"])(
    "makes no message when it is another one: %s",
    (resource) => {
      expect(embed(Option.some(resource), created)).toStrictEqual(Option.none())
    }
  )

  it("makes no message without an issue", () => {
    expect(embed(Option.some("issue"), Notification.make({ action: Option.some("created") })))
      .toStrictEqual(Option.none())
  })
})

const issueAlert: IssueAlert = {
  rule: Option.some("Very *important* rule"),
  title: Option.some("ReferenceError: a_b is not defined"),
  page: { ...NO_PAGE, webUrl: Option.some("https://errors.example/organizations/acme/issues/7/events/1/") },
  level: Option.some("error"),
  culprit: Option.some("?(runner)")
}

const metricAlert: MetricAlert = {
  rule: Option.some("Too many errors"),
  title: Option.some("Critical: Too many errors"),
  description: Option.some("1000 events in the last 10 minutes\nFilter: level:error"),
  url: Option.some("https://errors.example/organizations/acme/alerts/rules/details/1/?alert=20"),
  projects: ["front-end", "back-end"]
}

describe("an alert of an error tracker", () => {
  const alerted = (resource: string, action: string) =>
    shown(embed(
      Option.some(resource),
      Notification.make({
        action: Option.some(action),
        issueAlert: Option.some(issueAlert),
        metricAlert: Option.some(metricAlert)
      })
    ))

  it("about an issue posts with its rule", () => {
    expect(alerted("event_alert", "triggered")).toEqual({
      type: "rich",
      title: "Issue alert: ReferenceError: a\\_b is not defined",
      url: "https://errors.example/organizations/acme/issues/7/events/1/",
      color: LEVEL_COLOUR["error"],
      fields: [
        { name: "Rule", value: "Very \\*important\\* rule", inline: false },
        { name: "Culprit", value: "`?(runner)`", inline: false },
        { name: "Level", value: "error", inline: true }
      ]
    })
  })

  it("about a metric posts with its rule and its description", () => {
    expect(alerted("metric_alert", "critical")).toEqual({
      type: "rich",
      title: "Metric alert: Critical: Too many errors",
      url: "https://errors.example/organizations/acme/alerts/rules/details/1/?alert=20",
      color: LEVEL_COLOUR["error"],
      description: "1000 events in the last 10 minutes\nFilter: level:error",
      fields: [
        { name: "Rule", value: "Too many errors", inline: false },
        { name: "Project", value: "front-end, back-end", inline: true }
      ]
    })
  })

  it("about an issue has a general name if it has no title", () => {
    const alert = { ...issueAlert, title: Option.some(" ") }
    const notification = Notification.make({ action: Option.some("triggered"), issueAlert: Option.some(alert) })
    expect(shown(embed(Option.none(), notification))?.title).toBe("Issue alert")
  })

  it("about a metric is called by its rule if it has no title, or by its state", () => {
    const titled = (parts: Partial<MetricAlert>) =>
      shown(embed(
        Option.some("metric_alert"),
        Notification.make({ action: Option.some("critical"), metricAlert: Option.some({ ...metricAlert, ...parts }) })
      ))?.title
    expect(titled({ title: Option.none() })).toBe("Metric alert: Too many errors")
    expect(titled({ title: Option.some(" "), rule: Option.none() })).toBe("Metric alert: critical")
  })

  it.each([["warning", LEVEL_COLOUR["warning"]], ["resolved", RESOLVED_COLOUR]])(
    "about a metric has the colour of its state: %s",
    (action, colour) => {
      expect(alerted("metric_alert", action)?.color).toBe(colour)
    }
  )

  it.each([["event_alert", "created"], ["metric_alert", "open"], ["metric_alert", "constructor"]])(
    "makes no message when it is %s %s",
    (resource, action) => {
      expect(alerted(resource, action)).toBeUndefined()
    }
  )

  it("is recognised without a header", () => {
    const action = Option.some("triggered")
    const alert = Notification.make({ action, issueAlert: Option.some(issueAlert) })
    expect(embed(Option.none(), alert)).toStrictEqual(embed(Option.some("event_alert"), alert))
  })
})

describe("the message of an error tracker's event", () => {
  const action = FastCheck.constantFrom("created", "resolved", "unresolved", "assigned", "archived", "ignored")

  it.prop(
    "stays within its bounds and its place, for any third-party text",
    [hostile(Notification), action],
    ([anything, known]) => {
      expectHarmless(embed(Option.some("issue"), { ...anything, action: Option.some(known) }))
      expectHarmless(embed(Option.some("event_alert"), { ...anything, action: Option.some("triggered") }))
      expectHarmless(embed(Option.some("metric_alert"), { ...anything, action: Option.some("critical") }))
    },
    60_000
  )
})
