import { SpawnAgent } from '@waystation/protocol/agent/sub-agent.ts'
import type { AccountOf, Identity } from '@waystation/protocol/call/answer-policy.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import { speakerOfSession } from '#lib/agents/agent-of-session.ts'
import { withdrawTask } from '#lib/deliveries/withdraw-task.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { cancelCalls } from '#lib/engine/calls/cancel.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { lockCall, settle } from '#lib/engine/calls/settle.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { hasAccounts } from '#lib/kernel/identity.ts'
import { copyAuthors } from '#lib/sessions/copy-authors.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { stopTurn } from '#lib/sessions/stop-turn.ts'
import { spawnDenialReason } from './check-spawn.ts'
import { principalOf } from './principal.ts'
import { taskTitle } from './spawn-agent.ts'
import { subAgentSessionId } from './sub-agent-session-id.ts'

type InCall = { sessionKey: number; toolCallId: string }

type CallState = {
  open: boolean
  input: unknown
  child: number | null
  isGone: boolean
  reports: boolean
}

/**
 * Reconciles a call to a sub-agent with its session (001-16): starts a session for an open call and stops it
 * once the call is settled. Idempotent, however often or late it runs: a call has at most one session.
 */
export async function reconcileSubAgent(ctx: Ctx, at: InCall): Promise<void> {
  const [state] = await ctx.sql<CallState[]>`
    select c.state = 'open' and c.kind = 'agent' as open, coalesce(c.edited_input, c.input) as input, s.key as child,
      s.deleted_at is not null as is_gone, coalesce(s.reports, false) as reports
    from calls c left join sessions s
      on s.parent_key = c.session_key and s.parent_generation = c.generation and s.parent_call_id = c.tool_call_id
    where c.session_key = ${at.sessionKey} and c.tool_call_id = ${at.toolCallId}`
  if (state === undefined) return
  const { open, child, isGone, reports } = state
  if (open && child === null) await startChild(ctx, at, SpawnAgent.parse(state.input))
  else if (open && isGone)
    await failCall(ctx, at, 'The session of the sub-agent was deleted before it was done.')
  else if (!open && child !== null && reports) await endChild(ctx, child)
}

type Parent = {
  workspaceId: string
  agentId: string
  subject: string | null
  pinned: number | null
  trial: boolean
  rootKey: number
  depth: number
  generation: number
} & Pick<CallRow, 'accountOf'>

/** Creates the sub-agent's session with the task as its first message, on behalf of the parent agent's principal. */
async function startChild(ctx: Ctx, at: InCall, input: SpawnAgent): Promise<void> {
  const problem = await inTransaction(ctx, async tx => {
    // The shared lock makes a concurrent settlement wait, so that it finds the new session. Nothing else blocks.
    const [parent] = await tx.sql<Parent[]>`
      select s.workspace_id, s.agent_id, s.subject, s.pinned_revision as pinned, s.trial,
        coalesce(s.root_key, s.key) as root_key, s.depth, c.generation, c.account_of
      from calls c join sessions s on s.key = c.session_key
      where c.session_key = ${at.sessionKey} and c.tool_call_id = ${at.toolCallId} and c.state = 'open' and c.kind = 'agent'
      for share of c`
    if (parent === undefined) return undefined
    const { workspaceId, subject, generation, rootKey } = parent
    const callerId = await agentOfCall(tx, at.sessionKey, at.toolCallId)
    const agentId = input.agentId ?? callerId
    const inWorkspace: Ctx = { ...tx, workspaceId }
    const [agent, caller, newest] = await Promise.all([
      agentIfAny(inWorkspace, agentId),
      agentIfAny(inWorkspace, callerId),
      principalOf(tx, at.sessionKey)
    ])
    const behalf = behalfOf(parent.accountOf, newest)
    const reason = spawnDenialReason(agentId, agent)
    if (reason !== undefined) return reason
    const name = caller?.displayName ?? callerId
    const sessionId = subAgentSessionId({ ...at, generation })
    const [child] = await tx.sql<{ key: number }[]>`
      insert into sessions (workspace_id, id, agent_id, external, subject, title, pinned_revision, trial, parent_key, parent_generation,
        parent_call_id, root_key, depth, reports, created_by, created_at, active_at)
      values (${workspaceId}, ${sessionId}, ${agentId}, ${agent?.type === 'external'}, ${subject}, ${taskTitle(input.task)},
        ${agentId === parent.agentId ? parent.pinned : null}, ${parent.trial}, ${at.sessionKey}, ${generation}, ${at.toolCallId}, ${rootKey},
        ${parent.depth + 1}, true, ${name}, clock_timestamp(), clock_timestamp())
      on conflict do nothing returning key`
    if (child === undefined) return undefined
    await tx.sql`insert into heads (session_key) values (${child.key})`
    await copyAuthors(tx, { from: [at.sessionKey], to: child.key })
    const actor = { kind: 'system', name, workspaceId, ...(behalf === undefined ? {} : { behalf }) } as const
    await sendMessage({ ...inWorkspace, actor }, { sessionId, text: textOf(input), whenBusy: 'queue' })
    await notifyParent(tx, { sessionKey: child.key, parentKey: at.sessionKey })
    return undefined
  })
  if (problem !== undefined) await failCall(ctx, at, problem)
}

/**
 * Returns the identity on whose behalf the sub-agent works: the owner of the accounts that the call may use,
 * or else the program that sent the newest message.
 */
function behalfOf(accountOf: AccountOf | null, newest: Identity | undefined): Identity | undefined {
  if (accountOf !== null) return { id: accountOf.id, name: accountOf.name }
  return hasAccounts(newest) ? undefined : newest
}

const textOf = ({ task, context }: SpawnAgent): string =>
  context === undefined || context.trim() === '' ? task : `${task}\n\n<context>\n${context}\n</context>`

/**
 * Stops a sub-agent whose result is no longer needed: ends its turn, cancels its calls (and so its own
 * sub-agents) and its alarms. An external agent that received the task is asked to stop.
 */
async function endChild(ctx: Ctx, child: number): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, child)
    if (session === undefined) return
    const [pending] =
      await tx.sql`update sessions set reports = false where key = ${child} and reports returning key`
    if (pending === undefined) return
    const actor = { kind: 'system', name: 'the parent agent', workspaceId: session.workspaceId } as const
    const asServer: Ctx = { ...tx, workspaceId: session.workspaceId, actor }
    await tx.sql`update alarms set state = 'cancelled' where session_key = ${child} and state = 'open'`
    const isWithdrawn = await withdrawTask(asServer, session)
    const { config } = await speakerOfSession(asServer, session)
    if (session.external && config?.type === 'external' && !isWithdrawn)
      await tx.ports.sessions.external.stop(asServer, session, config)
    await cancelCalls(asServer, session)
    await stopTurn(asServer, session, 'cancelled')
  })
}

/** Settles the call with an error that the model reads. */
async function failCall(ctx: Ctx, at: InCall, text: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, at.sessionKey)
    const call = session && (await lockCall(tx, session, at.toolCallId))
    if (session === undefined || call === undefined || call.state !== 'open' || call.kind !== 'agent') return
    const result = { type: 'error', text } as const
    await settle(tx, session, call, {
      state: 'failed',
      result,
      answeredBy: 'the server',
      via: 'server',
      reason: text
    })
  })
}
