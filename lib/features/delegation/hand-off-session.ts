import { inTransaction } from '#db/transaction.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { redacted, redactedOr } from '#lib/kernel/redact.ts'
import { invalid, notFound, Refusal } from '#lib/kernel/refusal.ts'
import type {
  HandedBy,
  HandedOff,
  HandOff,
  HandSession,
  SessionHanded
} from '#lib/protocol/agent/hand-off.ts'
import { askHandOff } from './ask-hand-off.ts'

/** An agent, as far as a hand-over is concerned. */
type Party = { agentId: string; displayName: string; type: 'chat' | 'external' }

/**
 * Has another agent of the workspace speak in a session from its next step on, or (its own agent) that one again. What is open
 * keeps what it opened with. Its followers see it. The workspace's plugins are told before, and can change the reason. Unknown
 * session or agent: `404`; one of them is another system: `422`; a plugin cancels it: `409`.
 */
export async function handSession(ctx: Ctx, asked: HandSession): Promise<SessionHanded> {
  // No lock waits for a plugin.
  const { head, from, to } = await inTransaction(ctx, tx => planned(tx, asked))
  const judged = from.agentId
  const { sessionId, turnId } = head
  const parties = { from: from.agentId, to: to.agentId }
  const said = asked.reason === undefined ? '' : redacted(ctx, 'message', asked.reason)
  const kept =
    from.agentId === to.agentId
      ? said
      : await askHandOff(ctx, { sessionId, turnId: turnId ?? sessionId, ...parties, reason: said })
  const reason = kept === '' ? {} : { reason: redacted(ctx, 'message', kept) }
  const by: HandedBy = { kind: 'person', name: ctx.actor.name }
  await inTransaction(ctx, async tx => {
    const { head, from, to } = await planned(tx, asked)
    if (from.agentId !== judged)
      throw new Refusal(
        'CONFLICT',
        `${from.displayName} took over the session in the meantime. Hand off the session again.`
      )
    await handOver(tx, head, { from, to, by, ...reason })
    if (kept !== '') await addAuthors(tx, head.sessionKey, [identityOf(ctx.actor)])
  })
  return { sessionId: asked.sessionId, speaker: { agentId: to.agentId, displayName: to.displayName } }
}

/** Who hands over to whom, once the head is locked. */
async function planned(
  tx: Ctx,
  asked: HandSession
): Promise<{ head: LockedSession; from: Party; to: Party }> {
  const head = await lockSession(tx, asked.sessionId)
  if (head.external) throw invalid('This session belongs to an external agent, so it cannot be handed off.')
  const to = await partyOf(tx, asked.agentId)
  if (to.type !== 'chat')
    throw invalid(
      `${to.displayName} is an external agent and cannot take over a session. Start a new session with it.`
    )
  return { head, from: await speakerOf(tx, head), to }
}

/**
 * An agent hands over by its own tool (003-11). Of several hand-overs of one step the first one counts: the others throw who
 * speaks already, as does one to an agent that is not there or is another system.
 */
export async function handOwnSession(
  ctx: Ctx,
  lease: Lease,
  asked: { from: string; to: string; reason?: string | undefined }
): Promise<HandedOff> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const from = await speakerOf(tx, head)
    if (from.agentId !== asked.from)
      throw new ToolError(`This conversation was already handed off to ${from.displayName}.`)
    const to = await chatAgentIfAny(tx, asked.to)
    if (to === undefined) throw new ToolError(noSuchAgent(asked.to))
    const reason =
      asked.reason === undefined ? {} : { reason: redactedOr(ctx, 'model', asked.reason, unkept) }
    await handOver(tx, head, { from, to, by: { kind: 'agent' }, ...reason })
    return { handedTo: to.displayName }
  })
}

/** A plugin gives the next round to another agent, in the transaction that commits the step. The head is locked. */
export async function handByPlugin(
  tx: Ctx,
  head: LockedSession,
  { agentId, plugin, reason }: { agentId: string; plugin: string; reason?: string | undefined }
): Promise<void> {
  const to = await chatAgentIfAny(tx, agentId)
  // It was there when the round ended: what has gone since leaves the session where it is.
  if (to === undefined) return
  const by: HandedBy = { kind: 'plugin', name: plugin }
  const why = reason ? { reason: redactedOr(tx, 'model', reason, unkept) } : {}
  await handOver(tx, head, { from: await speakerOf(tx, head), to, by, ...why })
}

/** A chat agent of this workspace: only such a one can be handed to. */
export async function chatAgentIfAny(ctx: Ctx, agentId: string): Promise<Party | undefined> {
  const party = await partyIfAny(ctx, agentId)
  return party?.type === 'chat' ? party : undefined
}

/** What whoever wanted it is told. */
export const noSuchAgent = (agentId: string): string =>
  `There is no chat agent "${agentId}" in this workspace. The conversation was not handed off.`

const unkept = 'The reason could not be redacted.'

async function handOver(
  tx: Ctx,
  head: LockedSession,
  { from, to, by, reason }: { from: Party; to: Party; by: HandedBy; reason?: string }
): Promise<void> {
  if (from.agentId === to.agentId) return
  const handed: HandOff = {
    from: from.agentId,
    fromName: from.displayName,
    to: to.agentId,
    toName: to.displayName,
    by,
    ...(reason === undefined ? {} : { reason }),
    at: head.now
  }
  const isHome = to.agentId === head.agentId
  await tx.sql`
    update sessions set handed_to = ${isHome ? null : to.agentId}, handed = ${handed}::jsonb
    where key = ${head.sessionKey}`
  const speaker = isHome ? null : { agentId: to.agentId, displayName: to.displayName }
  await append(tx, head, [{ type: 'session', title: head.title, speaker }])
}

async function speakerOf(tx: Ctx, head: LockedSession): Promise<Party> {
  const [row] = await tx.sql<{ handedTo: string | null }[]>`
    select handed_to from sessions where key = ${head.sessionKey}`
  const agentId = row?.handedTo ?? head.agentId
  return (await partyIfAny(tx, agentId)) ?? { agentId, displayName: agentId, type: 'chat' }
}

async function partyOf(ctx: Ctx, agentId: string): Promise<Party> {
  const party = await partyIfAny(ctx, agentId)
  if (party === undefined) throw notFound('agent', agentId)
  return party
}

async function partyIfAny(ctx: Ctx, agentId: string): Promise<Party | undefined> {
  const [row] = await ctx.sql<Party[]>`
    select id as agent_id, config ->> 'displayName' as display_name, config ->> 'type' as type from agents
    where workspace_id = ${ctx.workspaceId} and id = ${agentId}`
  return row
}
