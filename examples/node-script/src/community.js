import { isServiceError } from "@community-messaging/service/ServiceError"

/** Makes a guild with a channel for the news of code. Returns its webhook. */
export const found = async (service) => {
  const ada = await service.createUser({ username: "ada", email: "ada@example.org" })
  const guild = await service.createGuild({ name: "Analytical Engines", owner_id: ada.id })
  const channel = await service.createChannel({ guild_id: guild.id, name: "builds" })
  return service.createWebhook({ channel_id: channel.id, name: "Builds" })
}

/** Posts a notification of the code host. Returns the channel's messages, newest first. */
export const announce = async (service, webhook, event, notification) => {
  await service.executeCodeHostWebhook({ webhook_id: webhook.id, token: webhook.token, event, notification })
  return service.listMessages({ channel_id: webhook.channel_id })
}

/** Describes an error of the service in words, and throws everything else. */
export const refusal = (error) => {
  if (!isServiceError(error)) throw error
  return error._tag === "InvalidInput"
    ? error.violations.map(({ message, path }) => `${path} ${message}`)
    : [error._tag]
}
