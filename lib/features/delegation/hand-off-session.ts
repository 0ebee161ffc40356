import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import type {
  HandOff,
  HandOffInitiator,
  HandOffResult,
  HandOffSession,
  SessionHandedOff,
  Speaker
} from '@waystation/protocol/agent/hand-off.ts'
import { inTransaction } from '#db/transaction.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { scheduleIfRunnable } from '#lib/engine/inbox/schedule-if-runnable.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { redacted, redactedOr } from '#lib/kernel/redact.ts'
import { stopTurn } from '#lib/sessions/stop-turn.ts'
import { runHandOffHooks } from './run-hand-off-hooks.ts'

/** The facts about an agent that a handoff needs. */
type Party = { agentId: string; displayName: string; type: 'chat' | 'external' }

/**
 * Hands off a session to another agent of the workspace, or back to its own agent, from the next step on.
 * Open calls keep the agent that opened them. An external agent takes over at once, so a running turn is stopped. The
 * workspace's gRPC plugins run first and can change the agent and the reason. Throws `NOT_FOUND` for an unknown session or agent,
 * `INVALID_INPUT` if the session's own agent is external, and `CONFLICT` if a plugin blocks the handoff.
 */
export async function handOffSession(ctx: Ctx, input: HandOffSession): Promise<SessionHandedOff> {
  // Plugins run outside a transaction, so that no lock waits for them.
  const { head: session, from, to } = await inTransaction(ctx, tx => planHandOff(tx, input))
  const checkedAgentId = from.agentId
  const { sessionId, turnId } = session
  const parties = { from: from.agentId, to: to.agentId }
  const requested = {
    ...parties,
    reason: input.reason === undefined ? '' : redacted(ctx, 'message', input.reason)
  }
  const checked =
    from.agentId === to.agentId
      ? requested
      : await runHandOffHooks(ctx, { sessionId, turnId: turnId ?? sessionId, ...requested })
  const reason = checked.reason === '' ? {} : { reason: redacted(ctx, 'message', checked.reason) }
  const by: HandOffInitiator = { kind: 'person', name: ctx.actor.name }
  const speaker = await inTransaction(ctx, async tx => {
    const { head: session, from, to } = await planHandOff(tx, { ...input, agentId: checked.to })
    if (from.agentId !== checkedAgentId)
      throw new ApiError(
        'CONFLICT',
        `${from.displayName} took over the session in the meantime. Hand off the session again.`
      )
    await appendHandOff(tx, session, { from, to, by, ...reason })
    if (to.type === 'external') await stopTurn(tx, session, 'cancelled')
    if (checked.reason !== '') await addAuthors(tx, session.sessionKey, [identityOf(ctx.actor)])
    return wireSpeaker(to)
  })
  return { sessionId: input.sessionId, speaker }
}

/** Locks the session and returns the agents of the handoff. */
async function planHandOff(
  tx: Ctx,
  input: HandOffSession
): Promise<{ head: LockedSession; from: Party; to: Party }> {
  const session = await lockSession(tx, input.sessionId)
  const from = await speakerOf(tx, session)
  if (session.external && from.agentId === session.agentId)
    throw invalid('This session belongs to an external agent, so it cannot be handed off.')
  return { head: session, from, to: await partyOf(tx, input.agentId) }
}

/**
 * Hands off the session with the agent's own tool (003-11). Only the first handoff of a step takes effect. A
 * later one, or one to a missing agent, throws a `ToolError`.
 */
export async function handOffOwnSession(
  ctx: Ctx,
  lease: Lease,
  input: { from: string; to: string; reason?: string | undefined }
): Promise<HandOffResult> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const from = await speakerOf(tx, session)
    if (from.agentId !== input.from)
      throw new ToolError(`This conversation was already handed off to ${from.displayName}.`)
    const to = await partyIfAny(tx, input.to)
    if (to === undefined) throw new ToolError(noSuchAgent(input.to))
    const reason =
      input.reason === undefined ? {} : { reason: redactedOr(ctx, 'model', input.reason, notRedacted) }
    await appendHandOff(tx, session, { from, to, by: { kind: 'agent' }, ...reason })
    return { handedTo: to.displayName }
  })
}

/**
 * Hands off the session as a plugin requested, in the transaction that commits the step. The caller holds the
 * session's lock.
 */
export async function handOffByPlugin(
  tx: Ctx,
  session: LockedSession,
  { agentId, plugin, reason }: { agentId: string; plugin: string; reason?: string | undefined }
): Promise<void> {
  const to = await partyIfAny(tx, agentId)
  // The agent existed when the step ended. If it was deleted since, the session stays with its agent.
  if (to === undefined) return
  const by: HandOffInitiator = { kind: 'plugin', name: plugin }
  const reasonIfAny = reason ? { reason: redactedOr(tx, 'model', reason, notRedacted) } : {}
  await appendHandOff(tx, session, { from: await speakerOf(tx, session), to, by, ...reasonIfAny })
}

/** Returns the error for a handoff to an agent that does not exist. */
export const noSuchAgent = (agentId: string): string =>
  `There is no agent "${agentId}" in this workspace. The conversation was not handed off.`

const notRedacted = 'The reason could not be redacted.'

async function appendHandOff(
  tx: Ctx,
  session: LockedSession,
  { from, to, by, reason }: { from: Party; to: Party; by: HandOffInitiator; reason?: string }
): Promise<void> {
  if (from.agentId === to.agentId) return
  const handOff: HandOff = {
    from: from.agentId,
    fromName: from.displayName,
    to: to.agentId,
    toName: to.displayName,
    by,
    ...(reason === undefined ? {} : { reason }),
    at: session.now
  }
  const isOwnAgent = to.agentId === session.agentId
  const { external } = tx.ports.sessions
  if (session.external) await external.leave(tx, session)
  session.external = to.type === 'external'
  await tx.sql`
    update sessions set handed_to = ${isOwnAgent ? null : to.agentId}, handed = ${handOff}::jsonb,
      external = ${session.external}
    where key = ${session.sessionKey}`
  append(tx, session, [
    { type: 'session', title: session.title, speaker: isOwnAgent ? null : wireSpeaker(to) }
  ])
  if (session.turnId !== null) return
  // During a turn, the external agent takes over when the turn ends.
  if (session.external) await external.takeOver(tx, session)
  // Answers that arrived while an external agent spoke can wait in the inbox.
  else if (from.type === 'external') await scheduleIfRunnable(tx, session)
}

const wireSpeaker = ({ agentId, displayName, type }: Party): Speaker => ({
  agentId,
  displayName,
  ...(type === 'external' ? { external: true } : {})
})

async function speakerOf(tx: Ctx, session: LockedSession): Promise<Party> {
  const [row] = await tx.sql<{ handedTo: string | null }[]>`
    select handed_to from sessions where key = ${session.sessionKey}`
  const agentId = row?.handedTo ?? session.agentId
  return (await partyIfAny(tx, agentId)) ?? { agentId, displayName: agentId, type: 'chat' }
}

async function partyOf(ctx: Ctx, agentId: string): Promise<Party> {
  const party = await partyIfAny(ctx, agentId)
  if (party === undefined) throw notFound('agent', agentId)
  return party
}

/** Returns an agent of this workspace, as a party of a handoff; undefined if there is none. */
export async function partyIfAny(ctx: Ctx, agentId: string): Promise<Party | undefined> {
  const [row] = await ctx.sql<Party[]>`
    select id as agent_id, config ->> 'displayName' as display_name, config ->> 'type' as type from agents
    where workspace_id = ${ctx.workspaceId} and id = ${agentId}`
  return row
}
