/** The project of an issue, as the error tracker sends it: with more fields than the reference lists. */
const project = { id: "1", name: "Front end", slug: "front-end", platform: "" }

const issue = {
  url: "https://sentry.io/api/0/organizations/test-org/issues/1170820242/",
  web_url: "https://test-org.sentry.io/issues/1170820242/",
  project_url: "https://test-org.sentry.io/issues/?project=1",
  id: "1170820242",
  shareId: null,
  shortId: "FRONT-END-1",
  title: "Error: Could not retrieve latest data from feature services",
  culprit: "?(runner)",
  permalink: null,
  logger: null,
  level: "error",
  status: "unresolved",
  statusDetails: {},
  substatus: "new",
  isPublic: false,
  platform: "javascript",
  project,
  type: "error",
  metadata: { filename: "/runner", type: "Error", value: "Could not retrieve latest data", function: null },
  numComments: 0,
  assignedTo: null,
  isBookmarked: false,
  annotations: [],
  count: "1",
  userCount: 0,
  firstSeen: "2022-04-04T18:17:18.320000Z",
  lastSeen: "2022-04-04T18:17:18.320000Z"
}

const installation = { uuid: "7a485448-a9e2-4c85-8a3c-4f44175783c9" }
const application = { type: "application", id: "sentry", name: "Sentry" }

/** Notifications as the error tracker documents them, with the names of their resources. */
export const errorTrackerNotifications: ReadonlyArray<readonly [resource: string, body: unknown]> = [
  ["installation", { action: "created", actor: { id: 1, name: "Meredith", type: "user" }, data: { installation } }],
  ["issue", { action: "created", installation, data: { issue }, actor: application }],
  [
    "issue",
    {
      action: "assigned",
      installation,
      data: { issue: { ...issue, assignedTo: { id: "1", type: "user", name: "Meredith", email: "m@example.com" } } },
      actor: { type: "user", id: 789, name: "person" }
    }
  ],
  [
    "event_alert",
    {
      action: "triggered",
      installation,
      data: {
        event: {
          event_id: "e4874d664c3540c1a32eab185f12c5ab",
          issue_id: "1117540176",
          issue_url: "https://sentry.io/api/0/issues/1117540176/",
          web_url:
            "https://sentry.io/organizations/test-org/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/",
          url: "https://sentry.io/api/0/projects/test-org/front-end/events/e4874d664c3540c1a32eab185f12c5ab/",
          title: "ReferenceError: heck is not defined",
          level: "error",
          culprit: "?(<anonymous>)",
          timestamp: 1_566_248_777.677,
          metadata: { type: "ReferenceError", value: "heck is not defined", filename: "<anonymous>" },
          tags: [["level", "error"]]
        },
        triggered_rule: "Very Important Alert Rule!",
        issue_alert: { title: "Very Important Alert Rule!", settings: [] }
      },
      actor: application
    }
  ],
  [
    "metric_alert",
    {
      action: "critical",
      installation,
      data: {
        metric_alert: {
          id: "4",
          identifier: "1",
          title: "Endpoint latency is too high",
          alert_rule: {
            id: "7",
            name: "Endpoint latency",
            aggregate: "p95(transaction.duration)",
            dataset: "transactions"
          },
          date_closed: null,
          organization_id: "5",
          projects: ["front-end", "back-end"],
          status: 20
        },
        description_text: "1000 milliseconds in the last 10 minutes",
        description_title: "Critical: Endpoint latency is too high",
        web_url: "https://sentry.io/organizations/test-org/alerts/rules/details/1/"
      },
      actor: application
    }
  ]
]
