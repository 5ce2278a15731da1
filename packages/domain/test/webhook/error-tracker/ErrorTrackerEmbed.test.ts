import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import {
  delivery,
  LEVEL_COLOUR,
  OTHER_LEVEL_COLOUR,
  RESOLVED_COLOUR
} from "../../../src/webhook/error-tracker/ErrorTrackerEmbed.ts"
import { type AlertEvent, type Issue, Notification } from "../../../src/webhook/error-tracker/Notification.ts"
import { expectHarmless, hostile } from "../Hostile.ts"
import { shown } from "../Shown.ts"

const issue: Issue = {
  shortId: "FRONT-END-9",
  title: "ReferenceError: a_b is not defined",
  permalink: "https://errors.example/issues/1170820242/",
  level: "error",
  project: { name: "front-end" },
  culprit: "?(runner)",
  metadata: { type: "ReferenceError", value: "a_b is not defined" },
  count: "12",
  userCount: "3"
}

const of = (resource: string | undefined, notification: Notification) =>
  delivery({ deliveryId: undefined, event: resource }, notification)

const actor = (type: string) => ({ name: "Meredith", type })

const posted = (action: string, parts: Partial<Issue> = {}, others: Partial<Notification> = {}) =>
  shown(of("issue", { action, data: { issue: { ...issue, ...parts } }, ...others }))

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
  const NAMELESS = { title: null, metadata: null }

  it.each<readonly [what: string, action: string, name: string, parts: Partial<Issue>]>([
    ["New issue", "created", ERROR, {}],
    ["Issue resolved", "resolved", ERROR, { substatus: "regressed" }],
    ["Issue unresolved", "unresolved", ERROR, {}],
    ["Issue unresolved", "unresolved", ERROR, { substatus: "ongoing" }],
    ["Issue regressed", "unresolved", ERROR, { substatus: "regressed" }],
    ["Issue escalating", "unresolved", ERROR, { substatus: "escalating" }],
    ["Issue assigned", "assigned", ERROR, {}],
    ["Issue archived", "archived", ERROR, {}],
    ["Issue archived", "ignored", ERROR, {}],
    ["New issue", "created", "Checkout failed", { title: "  Checkout failed " }],
    ["New issue", "created", ERROR, { title: null }],
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
    expect(posted(action, { level: level ?? null })?.color).toBe(colour)
  })

  it("does not show counts of zero", () => {
    const names = posted("created", { count: "0", userCount: " 0 " })?.fields?.map(
      ({ name }) => name
    )
    expect(names).toEqual(["Culprit", "Project", "Level", "Short ID"])
  })

  it.each<readonly [source: string, page: Partial<Issue>, url: string]>([
    [
      "its page",
      { web_url: "https://acme.errors.example/issues/7/" },
      "https://acme.errors.example/issues/7/"
    ],
    [
      "its organization and id",
      { url: "https://errors.example/api/0/organizations/acme/issues/7/" },
      "https://errors.example/organizations/acme/issues/7/"
    ],
    ["its id", { url: "https://errors.example/api/0/issues/7/" }, "https://errors.example/issues/7/"],
    [
      "the page of its project",
      { id: "7", project_url: "https://acme.errors.example/issues/?project=1" },
      "https://acme.errors.example/issues/7/"
    ],
    [
      "the page of its project without encryption",
      { id: "70", project_url: "http://errors.example" },
      "http://errors.example/issues/70/"
    ]
  ])("has a link that is made of %s if it has no permalink", (_, page, url) => {
    expect(posted("created", { permalink: null, ...page })?.url).toBe(url)
  })

  it.each<Partial<Issue>>([
    { permalink: "javascript:alert(1)" },
    { url: "https://errors.example/api/0/projects/acme/app/" },
    { id: "../7", project_url: "https://errors.example/" },
    { id: "7/..", project_url: "https://errors.example/" },
    { id: "7", project_url: "ftp://errors.example/" },
    { id: "7", project_url: "see https://errors.example/" }
  ])("has no link if the notification has no URL of it: %j", (page) => {
    expect(posted("created", { permalink: null, ...page })?.url).toBeUndefined()
  })

  it("shows the error's message if the title does not", () => {
    const parts = { title: "Checkout failed", metadata: { value: "`total` is <NaN>" } }
    expect(posted("created", parts)?.description).toBe("\\`total\\` is \\<NaN\\>")
  })

  it("shows its assignee", () => {
    expect(posted("assigned", { assignedTo: { name: "Meredith" } })?.fields)
      .toContainEqual({ name: "Assigned to", value: "Meredith", inline: true })
  })

  it("shows the actor, unless it is an application", () => {
    expect(posted("resolved", {}, { actor: actor("user") })?.author).toEqual({ name: "Meredith" })
    expect(posted("created", {}, { actor: actor("application") })?.author).toBeUndefined()
  })

  it("posts when nothing is known of it", () => {
    expect(shown(of("issue", { action: "created", data: { issue: {} } }))).toEqual({
      type: "rich",
      title: "New issue",
      color: OTHER_LEVEL_COLOUR
    })
  })
})

describe("a resource of an error tracker", () => {
  const created = { action: "created", data: { issue } }

  it("is an issue if there is no header and the notification has an issue", () => {
    expect(of(undefined, created)).toStrictEqual(of("issue", created))
  })

  it.each(
    [
      ["error", "event ignored"],
      ["event_alert", "action ignored"],
      ["metric_alert", "action ignored"],
      ["comment", "event ignored"],
      ["installation", "event ignored"],
      ["constructor", "event ignored"]
    ] as const
  )(
    "makes no message when it is another one: %s",
    (resource, ignored) => {
      expect(of(resource, created).embed).toStrictEqual(Either.left(ignored))
    }
  )

  it("makes no message without an issue", () => {
    expect(of("issue", { action: "created" }).embed).toStrictEqual(Either.left("action ignored"))
  })
})

const event: AlertEvent = {
  title: "ReferenceError: a_b is not defined",
  web_url: "https://errors.example/organizations/acme/issues/7/events/1/",
  level: "error",
  culprit: "?(runner)"
}

const issueAlert = { event, triggered_rule: "Very *important* rule" }

const metricAlert = {
  metric_alert: { alert_rule: { name: "Too many errors" }, projects: ["front-end", "back-end"] },
  description_title: "Critical: Too many errors",
  description_text: "1000 events in the last 10 minutes\nFilter: level:error",
  web_url: "https://errors.example/organizations/acme/alerts/rules/details/1/?alert=20"
}

describe("an alert of an error tracker", () => {
  const alerted = (resource: string, action: string) =>
    shown(of(resource, { action, data: resource === "event_alert" ? issueAlert : metricAlert }))

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
    const notification = { action: "triggered", data: { ...issueAlert, event: { ...event, title: " " } } }
    expect(shown(of(undefined, notification))?.title).toBe("Issue alert")
  })

  it("about a metric is called by its rule if it has no title, or by its state", () => {
    const titled = (parts: Notification["data"]) =>
      shown(of("metric_alert", { action: "critical", data: { ...metricAlert, ...parts } }))?.title
    expect(titled({ description_title: null })).toBe("Metric alert: Too many errors")
    expect(titled({ description_title: " ", metric_alert: {} })).toBe("Metric alert: critical")
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
    const alert = { action: "triggered", data: issueAlert }
    expect(of(undefined, alert)).toStrictEqual(of("event_alert", alert))
  })
})

describe("the message of an error tracker's event", () => {
  const action = FastCheck.constantFrom("created", "resolved", "unresolved", "assigned", "archived", "ignored")

  it.prop(
    "stays within its bounds and its place, for any third-party text",
    [hostile(Notification), action],
    ([anything, known]) => {
      expectHarmless(of("issue", { ...anything, action: known }))
      expectHarmless(of("event_alert", { ...anything, action: "triggered" }))
      expectHarmless(of("metric_alert", { ...anything, action: "critical" }))
    },
    60_000
  )
})
