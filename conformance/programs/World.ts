/** The facts of the server that the programs need, from the environment. */
const read = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const world = {
  baseUrl: read("BASE_URL"),
  bot: `Bot ${read("BOT_TOKEN")}`,
  admin: `Admin ${read("ADMIN_KEY")}`,
  guildId: read("GUILD_ID"),
  userId: read("USER_ID"),
  clientId: read("CLIENT_ID"),
  webhookId: read("WEBHOOK_ID"),
  webhookToken: read("WEBHOOK_TOKEN")
}

/** Prints the responses of the operations, for the test. */
export const report = (answers: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(JSON.stringify(answers))
}
