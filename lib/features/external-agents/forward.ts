import { wireDelivery } from '#lib/deliveries/delivery-row.ts'
import { openDelivery } from '#lib/deliveries/open.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ExternalConfig } from '#lib/protocol/agent/agent.ts'
import type { ActiveItem } from '#lib/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { type Message, textOf } from '#lib/protocol/session/message.ts'
import { activeItemFor } from './active-item.ts'
import { callbackUrl } from './callback-link.ts'

/**
 * Sends a person's message on to the external agent of its session (000-10, 000-11): a delivery, in the transaction that
 * accepts the message. No turn runs, no model is asked; replies come to the callback.
 * `active` goes along (000-21). The head is locked.
 */
export async function forwardMessage(
  ctx: Ctx,
  head: LockedSession,
  message: Message,
  config: ExternalConfig,
  active?: ActiveItem
): Promise<void> {
  await forward(ctx, head, config, message.id, {
    message: { type: 'user', text: textOf(message), createdAt: message.metadata?.createdAt },
    ...(active === undefined ? {} : await activeItemFor(ctx, head, active, config))
  })
}

/** The same for an out-of-band message (004-10), with who sent it and how urgent it is. */
export async function forwardOob(
  ctx: Ctx,
  head: LockedSession,
  { id, content, queuedAt, source, sourceId, priority, metadata }: OutOfBand,
  config: ExternalConfig
): Promise<void> {
  const about = { id, source, sourceId, priority, ...(metadata === undefined ? {} : { metadata }) }
  await forward(ctx, head, config, id, {
    message: { type: 'oob', text: content, createdAt: queuedAt, ...about }
  })
}

async function forward(
  ctx: Ctx,
  head: LockedSession,
  { inputUrl, callbackBaseUrl, retries }: ExternalConfig,
  messageId: string,
  said: Record<string, unknown>
): Promise<void> {
  const { sessionId, agentId, sessionKey, generation, workspaceId } = head
  const [workspace] = await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${workspaceId}`
  if (workspace === undefined) throw new Error(`Workspace ${workspaceId} has a session but is not stored.`)
  const base = callbackBaseUrl ?? ctx.ports.origin
  const made = await openDelivery(ctx, {
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
      ...said
    },
    retries
  })
  if (made !== undefined) await append(ctx, head, [{ type: 'delivery', delivery: wireDelivery(made) }])
}
