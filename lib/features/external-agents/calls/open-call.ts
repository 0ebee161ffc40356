import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import { checkSchemas } from '@waystation/json-schemas'
import type { OpenExternalCall, OpenedExternalCall } from '@waystation/protocol/external-agent/calls.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { storable } from '#db/client.ts'
import { type Opening, openCalls } from '#lib/engine/calls/open.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { inAgentSession, type VerifiedRequest } from '#lib/features/external-agents/agent-session.ts'
import { closeReplies } from '#lib/features/external-agents/append-reply.ts'
import { callUrl, scopeOf } from '#lib/features/external-agents/callback-link.ts'
import { checkKey } from '#lib/features/external-agents/receive-callback.ts'
import { replyMetadata } from '#lib/features/external-agents/reply-metadata.ts'
import type { ReplyTarget } from '#lib/features/external-agents/reply-target.ts'
import { checkBySchema } from '#lib/kernel/check-by-schema.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { auditCall } from './audit-call.ts'
import { openingOf } from './opening-of.ts'

/** The most calls that an external agent can have open in a session, and bytes of JSON in an approval's input. */
const limits = { open: 100, inputBytes: 256 * 1024 }

/**
 * Opens a call for an external agent: people answer it like a call of a chat agent, with the same deadlines, policies,
 * links, webhooks and audit. It stays open when messages or replies arrive. The answer is sent to the agent's `inputUrl`
 * (`deliver-settled.ts`), and can be read at `callUrl`. With a key, a repeated request returns the first response.
 *
 * @throws ApiError `INVALID_INPUT`, `TOO_LARGE`, `RATE_LIMITED`, `CONFLICT` with too many open calls, `KEY_REUSED`;
 * `UNAUTHENTICATED` and `NOT_FOUND` as for replies
 */
export async function openExternalCall(
  request: VerifiedRequest,
  body: OpenExternalCall
): Promise<OpenedExternalCall & { isNew: boolean }> {
  checkKey(request)
  const { target } = request
  const { ctx } = target
  const { key: ownKey, ...asked } = redacted(ctx, 'reply', storable(body) as OpenExternalCall)
  const key = ownKey ?? request.about.key
  await ctx.ports.enforceRateLimit('openCall', `${target.sessionKey} ${target.generation}`)
  const opening = openingOf(asked, target.agentName, key)
  await checkOpening(ctx, opening)
  return inAgentSession(request, async (tx, session, { credential }) => {
    const before = await findReceipt<OpenedExternalCall>(tx, session, 'open-call', key, asked)
    if (before !== undefined) return { ...before, isNew: false }
    await checkOpenCount(tx, session)
    const call = await open(tx, session, target, opening)
    await auditCall(tx, {
      ...{ action: 'call.opened', credential, workspaceId: session.workspaceId },
      ...{ sessionId: session.sessionId, agentName: target.agentName },
      ...{ messageId: call.messageId, toolCallId: call.toolCallId, toolName: call.toolName }
    })
    const base = await baseUrlOf(tx, target)
    const scope = scopeOf({ ...session, agentId: session.agentId }, target.agentId)
    const urlFor = (end?: 'fetch') =>
      callUrl(base, target.linkSecret, session.sessionId, scope, call.toolCallId, end)
    const receipt: OpenedExternalCall = {
      toolCallId: call.toolCallId,
      state: call.state,
      deadline: call.deadline,
      callUrl: urlFor(),
      ...(call.kind === 'connection' ? { fetchUrl: urlFor('fetch') } : {})
    }
    await storeReceipt(tx, session, 'open-call', key, asked, receipt)
    return { ...receipt, isNew: true }
  })
}

/** Checks sizes, schemas, and the input of an approval against its own schema. */
async function checkOpening(ctx: Ctx, { kind, input, inputSchema, outputSchema }: Opening): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(input)) > limits.inputBytes)
    throw new ApiError('TOO_LARGE', 'The "input" can be up to 256 KiB of JSON. Send less, or a link to it.')
  await checkSchemas(ctx.ports.schemas, { inputSchema, outputSchema }, laneOf(ctx))
  if (kind !== 'approval' || inputSchema === undefined) return
  const checked = await checkBySchema(ctx, inputSchema, input)
  if (!checked.ok)
    throw invalid(
      'The "input" does not match its "inputSchema".',
      Object.fromEntries(Object.entries(checked.fields).map(([field, error]) => [`input.${field}`, error]))
    )
}

async function checkOpenCount({ sql }: Ctx, { sessionKey }: LockedSession): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from calls where session_key = ${sessionKey} and state = 'open' and "where" = 'asker'`
  if ((row?.count ?? 0) >= limits.open)
    throw new ApiError(
      'CONFLICT',
      `This session already has ${limits.open} open calls. Cancel some of them, or wait for answers.`
    )
}

/** Opens the call in a message of its own. Needs the session's lock. */
async function open(tx: Ctx, session: LockedSession, target: ReplyTarget, request: Opening) {
  const [opening = request] = await tx.ports.accountRequests.describe(tx, [request])
  if (opening.failed !== undefined) throw invalid(opening.failed, { integration: 'is unknown' })
  await closeReplies(tx, session)
  const messageId = newId('msg')
  const metadata = { createdAt: session.now, ...replyMetadata(target) }
  const message: Message = { id: messageId, role: 'assistant', metadata, parts: [{ type: 'step-start' }] }
  const write = { type: 'chunk' as const, messageId, turnId: messageId }
  const { toolCallId, toolName, input } = opening
  const seq = append(tx, session, [
    { ...write, chunk: { type: 'start', messageId, messageMetadata: metadata } },
    { ...write, chunk: { type: 'start-step' } }
  ])
  await addMessage(tx, session, message, seq)
  append(tx, session, [{ ...write, chunk: { type: 'tool-input-available', toolCallId, toolName, input } }])
  const rows = await openCalls(tx, session, { messageId, turnId: messageId, contextId: null }, [opening])
  const [call] = rows
  if (call === undefined) throw new Error('The call was not stored.')
  append(tx, session, [
    { ...write, chunk: { type: 'finish-step' } },
    { ...write, chunk: { type: 'finish' } }
  ])
  await refold(tx, session, messageId, { done: true })
  change(tx, session, { isActive: true })
  // Other open calls of the session may have been answered in the meantime, so the status is set for each call.
  if (session.turnId === null && session.status === 'idle') {
    change(tx, session, { status: 'parked' })
    append(tx, session, [{ type: 'status', status: 'parked' }])
  }
  await tx.ports.accountRequests.settleConnected(tx, session, rows)
  return call
}

/** Returns the URL at which the external agent reaches this server. */
async function baseUrlOf({ sql, workspaceId, ports }: Ctx, { agentId }: ReplyTarget): Promise<string> {
  const [row] = await sql<{ base: string | null }[]>`
    select config -> 'external' ->> 'callbackBaseUrl' as base from agents
    where workspace_id = ${workspaceId} and id = ${agentId}`
  return row?.base ?? ports.origin
}
