import { ApiError, invalid } from '@waystation/base/api-error.ts'
import {
  type ExternalCheck,
  type ExternalSessions,
  KnownSession,
  KnownSessions,
  type ListExternalSessions,
  maxListedSessions
} from '@waystation/protocol/external-agent/check.ts'
import { SessionId } from '@waystation/protocol/session/session-id.ts'
import { agentFor, agentIfAny } from '#lib/agents/agent-for.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { covers } from '#lib/kernel/scope.ts'
import { askCheckUrl } from './ask-check-url.ts'

/**
 * Asks an external agent whether it knows a session ID (000-22). Undefined if the agent has no `checkUrl`, or if the
 * caller cannot create sessions.
 */
export async function checkExternally(
  ctx: Ctx,
  { agentId, sessionId }: { agentId: string; sessionId: string }
): Promise<ExternalCheck | undefined> {
  if (!covers(ctx.actor, 'send')) return undefined
  const agent = await agentIfAny(ctx, agentId)
  if (agent?.type !== 'external' || agent.external.checkUrl === undefined) return undefined
  try {
    const question = { type: 'check', sessionId }
    const known = await askCheckUrl(ctx, agent, agent.external.checkUrl, question, KnownSession)
    return redacted(ctx, 'reply', known)
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message }
    throw error
  }
}

/**
 * Lists up to 100 conversations of an external agent that match the query, in the agent's order (000-22). Leaves out
 * those whose ID cannot be a session ID.
 *
 * @throws ApiError `NOT_FOUND`; `INVALID_INPUT` if the agent has no `checkUrl`; `UNAVAILABLE` if it does not respond
 */
export async function listExternalSessions(
  ctx: Ctx,
  { agentId, query }: ListExternalSessions
): Promise<ExternalSessions> {
  const agent = await agentFor(ctx, agentId)
  if (agent.type !== 'external' || agent.external.checkUrl === undefined)
    throw invalid(
      `${agent.displayName} has no checkUrl, so its conversations are unknown. Enter a session ID.`
    )
  const question = { type: 'list', ...(query?.trim() ? { query: query.trim() } : {}) }
  const known = await askCheckUrl(ctx, agent, agent.external.checkUrl, question, KnownSessions)
  const sessions = known.sessions.flatMap(({ sessionId, title, updatedAt }) => {
    const id = SessionId.safeParse(sessionId)
    const at = Date.parse(updatedAt ?? '')
    const time = Number.isNaN(at) ? {} : { updatedAt: new Date(at).toISOString() }
    return id.success ? [{ sessionId: id.data, ...(title ? { title } : {}), ...time }] : []
  })
  return redacted(ctx, 'reply', { sessions: sessions.slice(0, maxListedSessions) })
}
