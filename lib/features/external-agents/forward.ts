import type { ExternalConfig } from '@waystation/protocol/agent/agent.ts'
import type { ActiveItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { wireDelivery } from '#lib/deliveries/delivery-row.ts'
import { createDelivery } from '#lib/deliveries/open.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { activeItemFor } from './active-item.ts'
import { callbackUrl } from './callback-link.ts'

/**
 * Forwards a user's message to the session's external agent (000-10, 000-11): opens a delivery in the
 * transaction that accepts the message. No turn runs and no model is called, because replies arrive at the
 * callback. `active` is the attached item (000-21). The caller holds the session's lock.
 */
export async function forwardMessage(
  ctx: Ctx,
  session: LockedSession,
  message: Message,
  config: ExternalConfig,
  active?: ActiveItem
): Promise<void> {
  await forward(ctx, session, config, message.id, {
    message: { type: 'user', id: message.id, text: textOf(message), createdAt: message.metadata?.createdAt },
    ...(active === undefined ? {} : await activeItemFor(ctx, session, active, config))
  })
}

/** Forwards an out-of-band message (004-10) with its source and priority. The caller holds the session's lock. */
export async function forwardOob(
  ctx: Ctx,
  session: LockedSession,
  { content, queuedAt, id, sessionId, timestamp, source, sourceId, priority, metadata }: OutOfBand,
  config: ExternalConfig
): Promise<void> {
  const about = { id, sessionId, timestamp, source, sourceId, priority, ...(metadata && { metadata }) }
  await forward(ctx, session, config, id, {
    message: { type: 'oob', text: content, createdAt: queuedAt, ...about }
  })
}

async function forward(
  ctx: Ctx,
  session: LockedSession,
  { inputUrl, callbackBaseUrl, retries }: ExternalConfig,
  messageId: string,
  fields: Record<string, unknown>
): Promise<void> {
  const { sessionId, agentId, sessionKey, generation, workspaceId } = session
  const [workspace] = await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${workspaceId}`
  if (workspace === undefined) throw new Error(`Workspace ${workspaceId} has a session but is not stored.`)
  const base = callbackBaseUrl ?? ctx.ports.origin
  const delivery = await createDelivery(ctx, {
    id: `dlv_${sessionKey}_${messageId}`,
    workspaceId,
    sessionKey,
    kind: 'message',
    messageId,
    url: inputUrl,
    body: {
      sessionId,
      agentId,
      callbackUrl: callbackUrl(base, workspace.secret, sessionId, { workspaceId, sessionKey, generation }),
      ...fields
    },
    retries
  })
  if (delivery !== undefined) append(ctx, session, [{ type: 'delivery', delivery: wireDelivery(delivery) }])
}
