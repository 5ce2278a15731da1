import { Embed } from "@community-messaging/domain/message/Embed"
import { delivery, LEVEL_COLOUR } from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import { ofBody } from "@community-messaging/http-adapter/server/Violations"
import { ErrorTrackerBody } from "@community-messaging/http-adapter/webhooks/Api"
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { errorsOf } from "../JsonSchemaCheck.ts"
import { resolve } from "../PublishedDocument.ts"

/** Matches a list that contains these items. */
const including = (items: ReadonlyArray<unknown>): unknown => expect.arrayContaining([...items])

const decode = Schema.decodeUnknownEither(ErrorTrackerBody, { errors: "all" })
const encode = Schema.encodeSync(Embed)

const posted = (resource: string, body: unknown) =>
  Either.getOrUndefined(
    Either.map(delivery({ deliveryId: undefined, event: resource }, Either.getOrThrow(decode(body))).embed, encode)
  )

const violations = (body: unknown): ReadonlyArray<readonly [path: string, code: string]> =>
  Either.match(decode(body), {
    onLeft: ({ issue }) => ofBody(issue).map(({ code, path }) => [path, code]),
    onRight: () => []
  })

const INSTALLATION = { uuid: "a8e5d37a-696c-4c54-adb5-b3f28d64c7de" }
const APPLICATION = { type: "application", id: "sentry", name: "Sentry" }

// From the tracker's documentation of issue webhooks: `permalink` is null, and `userCount` is a number.
const ISSUE = {
  annotations: [],
  assignedTo: null,
  count: "1",
  culprit: "?(runner)",
  firstSeen: "2019-08-19T20:58:37.391000Z",
  hasSeen: false,
  id: "1170820242",
  isBookmarked: false,
  isPublic: false,
  isSubscribed: false,
  lastSeen: "2019-08-19T20:58:37.391000Z",
  level: "error",
  logger: null,
  metadata: { filename: "/runner", type: "ReferenceError", value: "blooopy is not defined" },
  numComments: 0,
  permalink: null,
  platform: "javascript",
  project: { id: "1", name: "front-end", platform: "", slug: "front-end" },
  shareId: null,
  shortId: "FRONT-END-9",
  status: "unresolved",
  statusDetails: {},
  subscriptionDetails: null,
  substatus: "escalating",
  title: "ReferenceError: blooopy is not defined",
  type: "error",
  userCount: 1
}

const notification = (action: string, issue: object = {}, actor: unknown = APPLICATION) => ({
  action,
  installation: INSTALLATION,
  data: { issue: { ...ISSUE, ...issue } },
  actor
})

describe("a notification about an issue", () => {
  it("posts the documented notification", () => {
    const message = posted("issue", notification("created"))
    expect(message).toMatchObject({
      title: "[front-end] New issue: ReferenceError: blooopy is not defined",
      color: LEVEL_COLOUR["error"]
    })
    expect(message?.fields?.map(({ value }) => value))
      .toEqual(["`?(runner)`", "front-end", "error", "FRONT-END-9", "1", "1"])
  })

  it("links and counts with no number that JSON rounds", () => {
    const rounded = { id: 2 ** 53, count: 2 ** 53, userCount: 1e22, web_url: null }
    const message = posted("issue", notification("created", { ...rounded, project_url: "https://sentry.example/a/" }))
    expect([message?.url, message?.fields?.map(({ name }) => name)])
      .toEqual([undefined, ["Culprit", "Project", "Level", "Short ID"]])
  })

  it("posts the meaning of its status", () => {
    expect(posted("issue", notification("unresolved"))?.title).toContain("Issue escalating")
  })

  it("posts the person who assigned it, and the new owner", () => {
    const body = notification(
      "assigned",
      { assignedTo: { type: "user", id: "2", name: "Colleen", email: "colleen@errors.example" } },
      { type: "user", id: 1, name: "Meredith" }
    )
    expect(posted("issue", body)).toMatchObject({
      title: "[front-end] Issue assigned: ReferenceError: blooopy is not defined",
      author: { name: "Meredith" },
      fields: including([{ name: "Assigned to", value: "Colleen", inline: true }])
    })
  })

  it("links to its page if it has no permalink", () => {
    expect(posted("issue", notification("created", { web_url: "https://errors.example/issues/2/" }))?.url)
      .toBe("https://errors.example/issues/2/")
  })

  it("links to the issue of its organization if it has neither", () => {
    const url = "https://errors.example/api/0/organizations/test-org/issues/1170820242/"
    expect(posted("issue", notification("created", { url }))?.url)
      .toBe("https://errors.example/organizations/test-org/issues/1170820242/")
  })

  it("posts with numbers in place of strings", () => {
    const body = notification("created", {
      id: 1_170_820_242,
      count: 12,
      userCount: "3",
      project: { id: 1, slug: "web" }
    })
    expect(posted("issue", body)).toMatchObject({
      title: "[web] New issue: ReferenceError: blooopy is not defined",
      fields: including([
        { name: "Events", value: "12", inline: true },
        { name: "Users affected", value: "3", inline: true }
      ])
    })
  })

  it("posts without any field", () => {
    expect(posted("issue", { action: "created", data: { issue: {} } })?.title).toBe("New issue")
  })
})

// From the tracker's documentation of alerts.
const EVENT_ALERT = {
  action: "triggered",
  actor: APPLICATION,
  data: {
    event: {
      culprit: "?(runner)",
      event_id: "e4874d664c3540c1a32eab185f12c5ab",
      issue_id: "1170820242",
      issue_url: "https://errors.example/api/0/organizations/test-org/issues/1170820242/",
      level: "error",
      metadata: { type: "ReferenceError", value: "heck is not defined" },
      platform: "javascript",
      project: 1,
      title: "ReferenceError: heck is not defined",
      url: "https://errors.example/api/0/projects/test-org/front-end/events/e4874d664c3540c1a32eab185f12c5ab/",
      web_url:
        "https://errors.example/organizations/test-org/issues/1170820242/events/e4874d664c3540c1a32eab185f12c5ab/"
    },
    triggered_rule: "Very Important Alert Rule!"
  },
  installation: INSTALLATION
}

const METRIC_ALERT = {
  action: "critical",
  actor: APPLICATION,
  data: {
    description_text: "1000 events in the last 10 minutes\nFilter: level:error",
    description_title: "Resolved: Too many errors",
    metric_alert: {
      alert_rule: { aggregate: "count()", id: "7", name: "Too many errors", projects: ["bar"], resolution: 0 },
      identifier: "1",
      organization_id: "1",
      projects: ["bar"],
      title: "Too many errors",
      type: 1
    },
    web_url: "https://errors.example/organizations/baz/alerts/rules/details/1/?alert=20"
  },
  installation: INSTALLATION
}

describe("a notification about an alert", () => {
  it("of an issue posts the documented notification", () => {
    expect(posted("event_alert", EVENT_ALERT)).toMatchObject({
      title: "Issue alert: ReferenceError: heck is not defined",
      url: EVENT_ALERT.data.event.web_url,
      color: LEVEL_COLOUR["error"],
      fields: including([{ name: "Rule", value: "Very Important Alert Rule!", inline: false }])
    })
  })

  it("of an issue links to the issue if its event has no page", () => {
    const { web_url: _, ...event } = EVENT_ALERT.data.event
    expect(posted("event_alert", { ...EVENT_ALERT, data: { ...EVENT_ALERT.data, event } })?.url)
      .toBe("https://errors.example/organizations/test-org/issues/1170820242/")
  })

  it("of a metric posts the documented notification", () => {
    expect(posted("metric_alert", METRIC_ALERT)).toMatchObject({
      title: "Metric alert: Resolved: Too many errors",
      url: METRIC_ALERT.data.web_url,
      description: METRIC_ALERT.data.description_text,
      fields: [
        { name: "Rule", value: "Too many errors", inline: false },
        { name: "Project", value: "bar", inline: true }
      ]
    })
  })
})

describe("the documented notifications", () => {
  it("match the published schema", () => {
    const schema = resolve("#/components/schemas/ErrorTrackerNotification")
    const owner = { type: "user", id: "2", name: "Colleen", email: "colleen@errors.example" }
    const bodies = [
      { action: "created", data: { installation: INSTALLATION }, actor: { type: "user", id: 1, name: "Meredith" } },
      notification("created"),
      notification("assigned", { assignedTo: owner, count: 12, web_url: "https://errors.example/issues/2/" }),
      EVENT_ALERT,
      METRIC_ALERT
    ]
    expect(bodies.flatMap((body) => errorsOf(schema, body))).toEqual([])
  })
})

describe("a notification about another resource", () => {
  it.each([
    ["installation", { action: "created", data: { installation: { status: "pending", uuid: INSTALLATION.uuid } } }],
    ["error", { action: "created", data: { error: { event_id: "e4874d66", project: 1, level: "error" } } }],
    ["event_alert", { action: "triggered", data: { event: "e4874d66", triggered_rule: "Very Important" } }],
    ["metric_alert", { action: "critical", data: { metric_alert: 4, description_title: "Resolved" } }],
    ["comment", { action: "created", data: { comment: "adding a comment", comment_id: 1234, issue_id: 100 } }],
    ["seer", { action: "root_cause_started", data: { run_id: 12_345, group_id: 1_170_820_242 } }],
    // Before the tracker had resources, all fields were at the top level.
    ["", { id: "1", project: "front-end", level: "error", culprit: "a", message: "b", url: "https://errors.example" }]
  ])("makes no message: %s", (resource, body) => {
    expect(posted(resource, { installation: INSTALLATION, actor: APPLICATION, ...body })).toBeUndefined()
  })
})

describe("a notification by the error tracker", () => {
  it.each([{}, { action: null, installation: null, data: null, actor: null }, { data: { issue: null } }])(
    "may be any object: %j",
    (body) => {
      expect(violations(body)).toEqual([])
    }
  )

  it("is refused with all fields of a wrong type", () => {
    const body = {
      action: 1,
      installation: "x",
      actor: { name: 1 },
      data: { issue: { title: {}, metadata: { value: 1 }, project: [] } }
    }
    expect(new Set(violations(body).map(([path]) => path))).toEqual(
      new Set([
        "action",
        "installation",
        "actor.name",
        "data.issue.title",
        "data.issue.metadata.value",
        "data.issue.project"
      ])
    )
  })

  it("may have anything in fields that are not listed", () => {
    const issue = { web_url: 1, url: [], project_url: {}, substatus: {}, assignedTo: "Colleen", annotations: "x" }
    expect(violations({ data: { issue, event: 5, triggered_rule: {}, metric_alert: [], web_url: 1 }, other: true }))
      .toEqual([])
  })
})
