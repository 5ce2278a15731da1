import type { Cluster } from "./Cluster.ts"
import type { Facts } from "./Facts.ts"

const post = (origin: string, { webhook }: Facts, title: string): string =>
  [
    `curl -sS -w '%{http_code}\\n' '${origin}/v1/webhooks/${webhook.id}/${webhook.token}/sentry' \\`,
    "  -H 'Content-Type: application/json' -H 'Sentry-Hook-Resource: issue' \\",
    `  -d '${JSON.stringify({ action: "created", data: { issue: { id: "1", title } } })}'`
  ].join("\n")

/** Returns commands to try, which a user can paste into other terminals. */
export const instructions = ({ balancer, database, facts, servers }: Cluster, restarts: boolean): string => {
  const [first, second = first, last = second] = [servers[0], servers[1], servers.at(-1)]
  if (first === undefined || second === undefined || last === undefined) return ""
  return [
    [
      `PostgreSQL  ${database}`,
      ...servers.map(({ name, origin, pid }) => `${name}    ${origin}  process ${pid}`),
      `balancer    ${balancer}`
    ].join("\n"),
    `# 1. Watch the events on ${second.name}\ncurl -sSN '${second.origin}/v1/admin/events?from=now' -H 'Authorization: Admin ${facts.admin_key}'`,
    `# 2. Post through ${first.name} (204): the event appears on ${second.name}\n${
      post(first.origin, facts, "Posted through one server, seen on another")
    }`,
    `# 3. Kill ${last.name} in the middle of its work${restarts ? ": it restarts" : ""}\nkill -9 ${last.pid}`,
    `# 4. Post through the balancer (204), which leaves a dead server out; 502 if the server ended after it got the post\n${
      post(balancer, facts, "Posted through the balancer")
    }`,
    "Stop with Ctrl+C. This removes the database, too."
  ].join("\n\n")
}
