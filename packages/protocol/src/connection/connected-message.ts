/** The sender's name of the message about an account that was connected after its call had ended (002-12). */
export const connectionSender = 'Connections'

type Connected = { service: string; slug: string; toolName: string }

/** Returns the text of that message, for the agent. */
export const connectedMessage = ({ service, slug, toolName }: Connected): string =>
  `[Connections] The account ${slug} at ${service} is now connected. An earlier call of ${toolName} ended without it. If the task that needed the account is still open, continue it.`
