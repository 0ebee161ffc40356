import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { cancelCalls } from '#lib/engine/calls/cancel.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { lockCall, settle } from '#lib/engine/calls/settle.ts'
import { copyAuthors } from '#lib/engine/context/authors.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { stopTurn } from '#lib/engine/worker/stop-turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { hasAccounts } from '#lib/kernel/identity.ts'
import { SpawnAgent } from '#lib/protocol/agent/sub-agent.ts'
import type { AccountOf, Identity } from '#lib/protocol/call/answerers.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { whyNotSpawn } from './check-spawn.ts'
import { principalOf } from './principal.ts'
import { taskTitle } from './spawn-agent.ts'

type InCall = { sessionKey: number; toolCallId: string }

type Found = {
  open: boolean
  input: unknown
  child: number | null
  isGone: boolean
  reports: boolean
}

/**
 * Looks whether a call to a sub-agent has what it is to have (001-16), and sees to it: while it is open, a session that works
 * for it; once it is settled in any way, none that still does. However often, late or twice it looks, there is one session.
 */
export async function reconcileSubAgent(ctx: Ctx, at: InCall): Promise<void> {
  const [found] = await ctx.sql<Found[]>`
    select c.state = 'open' and c.kind = 'agent' as open, coalesce(c.edited_input, c.input) as input, s.key as child,
      s.deleted_at is not null as is_gone, coalesce(s.reports, false) as reports
    from calls c left join sessions s
      on s.parent_key = c.session_key and s.parent_generation = c.generation and s.parent_call_id = c.tool_call_id
    where c.session_key = ${at.sessionKey} and c.tool_call_id = ${at.toolCallId}`
  if (found === undefined) return
  const { open, child, isGone, reports } = found
  if (open && child === null) await beginChild(ctx, at, SpawnAgent.parse(found.input))
  else if (open && isGone) await fail(ctx, at, 'The session of the sub-agent was deleted before it was done.')
  else if (!open && child !== null && reports) await endChild(ctx, child)
}

type Parent = {
  workspaceId: string
  agentId: string
  subject: string | null
  pinned: number | null
  rootKey: number
  depth: number
  generation: number
} & Pick<CallRow, 'accountOf'>

/** Its session, with the task as its first message, in the name of whoever the agent above works for. */
async function beginChild(ctx: Ctx, at: InCall, asked: SpawnAgent): Promise<void> {
  const fault = await inTransaction(ctx, async tx => {
    // Whoever settles the call waits for this, and finds the session; nobody waits here for anything else.
    const [parent] = await tx.sql<Parent[]>`
      select s.workspace_id, s.agent_id, s.subject, s.pinned_revision as pinned,
        coalesce(s.root_key, s.key) as root_key, s.depth, c.generation, c.account_of
      from calls c join sessions s on s.key = c.session_key
      where c.session_key = ${at.sessionKey} and c.tool_call_id = ${at.toolCallId} and c.state = 'open' and c.kind = 'agent'
      for share of c`
    if (parent === undefined) return undefined
    const { workspaceId, subject, generation, rootKey } = parent
    const asking = await agentOfCall(tx, at.sessionKey, at.toolCallId)
    const agentId = asked.agentId ?? asking
    const inWorkspace: Ctx = { ...tx, workspaceId }
    const [agent, above, newest] = await Promise.all([
      agentIfAny(inWorkspace, agentId),
      agentIfAny(inWorkspace, asking),
      principalOf(tx, at.sessionKey)
    ])
    const behalf = behalfOf(parent.accountOf, newest)
    const whyNot = whyNotSpawn(agentId, agent)
    if (whyNot !== undefined) return whyNot
    const name = above?.displayName ?? asking
    const sessionId = `sub_${digestOf([at.sessionKey, generation, at.toolCallId]).slice(0, 24)}`
    const [made] = await tx.sql<{ key: number }[]>`
      insert into sessions (workspace_id, id, agent_id, subject, title, pinned_revision, parent_key, parent_generation,
        parent_call_id, root_key, depth, reports, created_by, created_at, active_at)
      values (${workspaceId}, ${sessionId}, ${agentId}, ${subject}, ${taskTitle(asked.task)},
        ${agentId === parent.agentId ? parent.pinned : null}, ${at.sessionKey}, ${generation}, ${at.toolCallId}, ${rootKey},
        ${parent.depth + 1}, true, ${name}, clock_timestamp(), clock_timestamp())
      on conflict do nothing returning key`
    if (made === undefined) return undefined
    await tx.sql`insert into heads (session_key) values (${made.key})`
    await copyAuthors(tx, { from: at.sessionKey, to: made.key })
    const actor = { kind: 'system', name, workspaceId, ...(behalf === undefined ? {} : { behalf }) } as const
    await sendMessage({ ...inWorkspace, actor }, { sessionId, text: textOf(asked), whenBusy: 'queue' })
    await notifyParent(tx, { sessionKey: made.key, parentKey: at.sessionKey })
    return undefined
  })
  if (fault !== undefined) await fail(ctx, at, fault)
}

/** In whose name the sub-agent works: that of whose accounts the call may use, or of the program that asked. */
function behalfOf(accountOf: AccountOf | null, newest: Identity | undefined): Identity | undefined {
  if (accountOf !== null) return { id: accountOf.id, name: accountOf.name }
  return hasAccounts(newest) ? undefined : newest
}

const textOf = ({ task, context }: SpawnAgent): string =>
  context === undefined || context.trim() === '' ? task : `${task}\n\n<context>\n${context}\n</context>`

/** Nobody waits for it any more: its turn is stopped, and what waits in it is cancelled, down to the last one below. Nor does it
 * wake up by itself. */
async function endChild(ctx: Ctx, child: number): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, child)
    if (head === undefined) return
    const [owed] =
      await tx.sql`update sessions set reports = false where key = ${child} and reports returning key`
    if (owed === undefined) return
    const actor = { kind: 'system', name: 'the parent agent', workspaceId: head.workspaceId } as const
    const asServer: Ctx = { ...tx, workspaceId: head.workspaceId, actor }
    await tx.sql`update alarms set state = 'cancelled' where session_key = ${child} and state = 'open'`
    await cancelCalls(asServer, head)
    await stopTurn(asServer, head, 'cancelled')
  })
}

/** It cannot be done: the model is told so. */
async function fail(ctx: Ctx, at: InCall, text: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, at.sessionKey)
    const call = head && (await lockCall(tx, head, at.toolCallId))
    if (head === undefined || call === undefined || call.state !== 'open' || call.kind !== 'agent') return
    const result = { type: 'error', text } as const
    await settle(tx, head, call, {
      state: 'failed',
      result,
      answeredBy: 'the server',
      via: 'server',
      reason: text
    })
  })
}
