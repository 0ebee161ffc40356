import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { SentFile } from '#lib/deliveries/file-link.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { sentFiles } from './sent-files.ts'

/** The most bytes of text in a history. Older messages are left out. */
const maxBytes = 256 * 1024

/** An earlier message of the session, as an external agent receives it. */
type HistoryMessage = {
  role: 'user' | 'assistant'
  id: string
  text: string
  createdAt?: string
  files?: SentFile[]
}

/**
 * Returns the last messages before a message, oldest first, if that message is the first one that this agent receives in
 * the session, and the agent asks for a history. Otherwise returns no field. Needs the session's lock.
 */
export async function historyFor(
  ctx: Ctx,
  { sessionKey }: Pick<LockedSession, 'sessionKey'>,
  { agentId, external: { history: count = 0, callbackBaseUrl = ctx.ports.origin } }: ExternalAgent,
  messageId: string
): Promise<{ history?: HistoryMessage[] }> {
  if (count === 0) return {}
  const [earlier] = await ctx.sql`
    select from deliveries where session_key = ${sessionKey} and kind = 'message' and body ->> 'agentId' = ${agentId}
      and body -> 'message' ->> 'type' <> 'cancel' limit 1`
  if (earlier !== undefined) return {}
  const rows = await ctx.sql<{ message: Message }[]>`
    select message from messages
    where session_key = ${sessionKey} and id <> ${messageId} and role in ('user', 'assistant') and done
      and message #> '{metadata,queued}' is null
    order by pos desc limit ${count}`
  const history: HistoryMessage[] = []
  let bytes = 0
  for (const { message } of rows) {
    const text = redacted(ctx, 'message', textOf(message))
    bytes += Buffer.byteLength(text)
    if (bytes > maxBytes) break
    const { id, role, metadata } = message
    const files = sentFiles(message, callbackBaseUrl)
    history.unshift({
      role: role === 'user' ? 'user' : 'assistant',
      id,
      text,
      ...(metadata === undefined ? {} : { createdAt: metadata.createdAt }),
      ...(files.length === 0 ? {} : { files })
    })
  }
  return { history }
}
