import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Created, CreateSession } from '@waystation/protocol/session/session.ts'
import { SessionId } from '@waystation/protocol/session/session-id.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { revisionFor } from '#lib/agents/snapshots.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { canActForUsers, canEdit } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { setOverlay } from './set-overlay.ts'

/**
 * Creates a session, attaches to it, or revives it empty (000-6, 000-7):
 * - unknown ID: creates the session
 * - session of the same agent: attaches to it and changes nothing
 * - deleted session: revives it
 * - session of another agent: throws `SESSION_AGENT_MISMATCH`
 *
 * Without an ID, it generates one. An external agent needs an ID, because the agent identifies the session by it
 * (000-4, 000-6). `revision` pins a new or revived session, `trial` makes it a trial, and `buildKit` applies the build
 * kit to it. Only owners and editors can set these and `subject`, the end user. Others get `FORBIDDEN`.
 */
export async function createSession(ctx: Ctx, input: CreateSession): Promise<Created> {
  if (ctx.actor.kind === 'subject')
    throw new ApiError(
      'FORBIDDEN',
      'A session token cannot create sessions. It gives access only to its own session.'
    )
  if (input.subject !== undefined && !canActForUsers(ctx.actor))
    throw new ApiError(
      'FORBIDDEN',
      "Only owners, editors and their keys can create or branch a session for an end user. Its agent can use that user's accounts."
    )
  if (input.revision !== undefined && !canEdit(ctx.actor))
    throw new ApiError(
      'FORBIDDEN',
      'Only owners, editors and their keys can pin a session to a version. An earlier version can let the agent do more.'
    )
  if (input.trial && !canEdit(ctx.actor))
    throw new ApiError('FORBIDDEN', 'Only owners, editors and their keys can create trial sessions.')
  if (input.buildKit && !canEdit(ctx.actor))
    throw new ApiError(
      'FORBIDDEN',
      'Only owners, editors and their keys can start a session with the build kit. It lets the agent propose changes to itself.'
    )
  const agent = await agentIfAny(ctx, input.agentId)
  if (agent === undefined)
    throw new ApiError(
      'AGENT_NOT_FOUND',
      `There is no agent "${input.agentId}" in this workspace. GET /api/agents lists the agents.`
    )
  if (agent.type === 'external' && input.sessionId === undefined)
    throw new ApiError(
      'SESSION_ID_REQUIRED',
      `${agent.displayName} is an external agent. Choose the session ID, because the agent uses it to identify the conversation.`
    )
  if (agent.type === 'external' && input.trial)
    throw invalid(`${agent.displayName} is an external agent. Trials are only for chat agents.`, {
      trial: 'must be false for an external agent'
    })
  const sessionId = idOf(input.sessionId)
  const title = redacted(ctx, 'title', input.title ?? '')
  const attach = async (tx: Ctx, pin: number | null): Promise<Created> => {
    const [created] = await tx.sql<{ key: number }[]>`
      insert into sessions (workspace_id, id, agent_id, external, subject, title, pinned_revision, trial, created_by, created_at, active_at)
      values (${ctx.workspaceId}, ${sessionId}, ${input.agentId}, ${agent.type === 'external'}, ${input.subject ?? null}, ${title}, ${pin}, ${input.trial ?? false},
        ${ctx.actor.name}, clock_timestamp(), clock_timestamp())
      on conflict (workspace_id, id) do nothing returning key`
    if (created !== undefined) {
      await tx.sql`insert into heads (session_key) values (${created.key})`
      return { sessionId, agentId: input.agentId, created: true }
    }
    const [existing] = await tx.sql<{ key: number; agentId: string; deleted: boolean }[]>`
      select key, agent_id, deleted_at is not null as deleted from sessions
      where workspace_id = ${ctx.workspaceId} and id = ${sessionId} for update`
    if (existing === undefined || existing.agentId !== input.agentId)
      throw new ApiError(
        'SESSION_AGENT_MISMATCH',
        `Session "${sessionId}" already belongs to agent "${existing?.agentId}". Choose another ID.`
      )
    if (!existing.deleted) return { sessionId, agentId: existing.agentId, created: false }
    await tx.sql`
      update sessions set deleted_at = null, external = ${agent.type === 'external'}, status = 'idle', title = ${title}, snippet = '', error = null,
        subject = ${input.subject ?? null}, pinned_revision = ${pin}, trial = ${input.trial ?? false}, parent_key = null, parent_generation = null,
        parent_call_id = null, root_key = null, depth = 0, created_by = ${ctx.actor.name}, created_at = clock_timestamp(), active_at = clock_timestamp()
      where key = ${existing.key}`
    return { sessionId, agentId: existing.agentId, created: true }
  }
  return inTransaction(ctx, async tx => {
    const { agentId, revision } = input
    const session = await attach(
      tx,
      revision === undefined ? null : await revisionFor(tx, agentId, { revision })
    )
    if (input.buildKit && session.created) await setOverlay(tx, { sessionId, buildKit: true })
    return session
  })
}

/**
 * Returns a session's ID: the given one without surrounding whitespace (000-8), or a generated one. Throws
 * `INVALID_SESSION_ID`.
 */
export function idOf(sessionId: string | undefined): string {
  if (sessionId === undefined) return newId('s')
  const id = SessionId.safeParse(sessionId)
  if (id.success) return id.data
  throw new ApiError('INVALID_SESSION_ID', 'A session ID has 1 to 128 characters: letters, digits, - and _.')
}
