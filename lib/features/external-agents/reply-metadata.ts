import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ReplyTarget } from './reply-target.ts'

/** Returns the metadata of every message from this agent. */
export const replyMetadata = ({ agentName, agentId, revision, handedTo }: ReplyTarget) => ({
  sentBy: agentName,
  ...(handedTo === undefined ? {} : { agentId, revision })
})

/** Adds a message from an external agent to the audit log. `credential` is its name in the log. */
export const auditReply = (
  { sql }: Ctx,
  { ctx: { workspaceId }, sessionId, agentName }: ReplyTarget,
  credential: string,
  messageId: string
) => sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
  values (${workspaceId}, ${sessionId}, 'message.injected', ${agentName}, ${credential}, ${messageId}, clock_timestamp())`
