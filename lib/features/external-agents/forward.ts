import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { ActiveItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Message, UserPart } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { wireDelivery } from '#lib/deliveries/delivery-row.ts'
import { createDelivery } from '#lib/deliveries/open.ts'
import { addAuthors, addOobAuthors } from '#lib/engine/context/authors.ts'
import { addEntry } from '#lib/engine/context/context-entries.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { oobEntry, userEntry } from '#lib/engine/worker/begin-step/step-notes.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { activeItemFor } from './active-item.ts'
import { callbackUrl, callsUrl, finishUrl, linkSecretOf, scopeOf } from './callback-link.ts'
import { historyFor } from './history.ts'
import { sentFiles } from './sent-files.ts'
import { openTask } from './task.ts'

/**
 * Forwards a user's message to the session's external agent (000-10, 000-11): opens a delivery in the
 * transaction that accepts the message. No turn runs and no model is called, because replies arrive at the
 * callback. `active` is the attached item (000-21), and `sender` the author of a message that was not queued. The caller
 * holds the session's lock.
 */
export async function forwardMessage(
  ctx: Ctx,
  session: LockedSession,
  message: Message,
  agent: ExternalAgent,
  { active, sender }: { active?: ActiveItem | undefined; sender?: Identity } = {}
): Promise<void> {
  const { id, metadata, parts } = message
  const { callbackBaseUrl = ctx.ports.origin } = agent.external
  const files = sentFiles(message, callbackBaseUrl)
  await forward(ctx, session, agent, id, {
    message: {
      type: 'user',
      id,
      text: textOf(message),
      createdAt: metadata?.createdAt,
      ...(files.length === 0 ? {} : { files })
    },
    ...(await historyFor(ctx, session, agent, id)),
    ...(active === undefined ? {} : await activeItemFor(ctx, session, active, agent))
  })
  if (!isHandedTo(session, agent)) return
  const userParts = parts.filter(part => part.type === 'text' || part.type === 'file')
  await addEntry(ctx, session, userEntry(id, id, userParts as UserPart[], metadata))
  await addAuthors(ctx, session.sessionKey, sender === undefined ? [] : [sender])
}

/** Forwards an out-of-band message (004-10) with its source and priority. The caller holds the session's lock. */
export async function forwardOob(
  ctx: Ctx,
  session: LockedSession,
  message: OutOfBand,
  agent: ExternalAgent
): Promise<void> {
  const { content, queuedAt, id, sessionId, timestamp, source, sourceId, priority, metadata } = message
  const about = { id, sessionId, timestamp, source, sourceId, priority, ...(metadata && { metadata }) }
  await forward(ctx, session, agent, id, {
    message: { type: 'oob', text: content, createdAt: queuedAt, ...about },
    ...(await historyFor(ctx, session, agent, id))
  })
  if (!isHandedTo(session, agent)) return
  await addEntry(ctx, session, oobEntry(message, id, id))
  await addOobAuthors(ctx, session.sessionKey, [message])
}

/**
 * Tells an external agent that it has taken over a session (003-11). `messageId` is the message that shows the
 * handoff. This is the first message that the agent receives from the session. The caller holds the session's lock.
 */
export async function forwardHandOff(
  ctx: Ctx,
  session: LockedSession,
  { from, fromName, by, reason, at }: HandOff,
  agent: ExternalAgent,
  messageId: string
): Promise<void> {
  await forward(ctx, session, agent, messageId, {
    message: {
      type: 'handoff',
      id: messageId,
      text: reason ?? '',
      createdAt: at,
      from: { agentId: from, displayName: fromName },
      by
    },
    ...(await historyFor(ctx, session, agent, messageId))
  })
}

/**
 * Returns whether the session belongs to another agent, which may take it back. Its context must then contain what
 * the external agent receives and replies.
 */
const isHandedTo = (session: LockedSession, agent: ExternalAgent): boolean =>
  agent.agentId !== session.agentId

/** Returns the ID of the delivery of a message. A message is sent at most once, apart from retries. */
export const deliveryIdOf = (sessionKey: number, messageId: string): string =>
  `dlv_${sessionKey}_${messageId}`

/** Opens the delivery of a message with these fields, in the caller's transaction. Needs the session's lock. */
export async function forward(
  ctx: Ctx,
  session: LockedSession,
  agent: ExternalAgent,
  messageId: string,
  fields: Record<string, unknown>
): Promise<void> {
  const { inputUrl, callbackBaseUrl, retries } = agent.external
  const { agentId } = agent
  const { sessionId, sessionKey, workspaceId } = session
  const secret = await linkSecretOf(ctx, workspaceId)
  if (secret === undefined) throw new Error(`Workspace ${workspaceId} has a session but is not stored.`)
  const base = callbackBaseUrl ?? ctx.ports.origin
  const scope = scopeOf(session, agentId)
  const task = session.parentKey === null ? undefined : await openTask(ctx, session)
  const delivery = await createDelivery(ctx, {
    id: deliveryIdOf(sessionKey, messageId),
    workspaceId,
    sessionKey,
    kind: 'message',
    messageId,
    url: inputUrl,
    body: {
      sessionId,
      agentId,
      callbackUrl: callbackUrl(base, secret, sessionId, scope),
      callsUrl: callsUrl(base, secret, sessionId, scope),
      ...(task && { task, finishUrl: finishUrl(base, secret, sessionId, scope) }),
      ...fields
    },
    retries
  })
  if (delivery !== undefined) append(ctx, session, [{ type: 'delivery', delivery: wireDelivery(delivery) }])
}
