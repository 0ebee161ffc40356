import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import {
  agentOfSessionIfAny,
  overlayMark,
  type RunningAgent,
  runningRevision,
  speakingAgent
} from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ChatAgent } from '#lib/protocol/agent/agent.ts'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { SpendCaps } from '#lib/protocol/call/spending.ts'

/** What a step runs on. */
export type Running = RunningAgent<ChatAgent>

/** The turn that a step belongs to, and what it runs on now. */
export type TurnRow = {
  now: string
  begun: number
  committed: number
  beganAt: string | null
  messageId: string | null
  budgetSteps: number
  budgetUsd: number
  /** The budget counts since a day ago or longer. */
  budgetOfYesterday: boolean
  /** Steps that earlier turns of its run kept, and where the messages stand that began the run (`read-run.ts`). */
  runRounds: number
  runFrom: number | null
  caps: SpendCaps
  retryAt: string | null
  /** What its session runs on now; null once the agent is gone. */
  running: number | null
  overlayMark: string | null
  /** The agent that speaks now, and the hand-over by which it does, or by which it does again. */
  speaker: string
  handed: HandOff | null
  /** What its newest step began on; null: it has begun none. */
  ranOn: RanOn | null
}

/** The newest entry of the model's context, if there is any. */
export type Newest = { id: number; kind: string; messageId: string | null } | undefined

/** With the workspace's spending caps and what the session runs on, so that where these are none and the same
 * as before nothing more is asked. */
export async function readTurn(tx: Ctx, head: LockedSession, turnId: string): Promise<TurnRow> {
  const [row] = await tx.sql<TurnRow[]>`
    select clock_timestamp() as now, t.begun, t.committed, t.began_at, t.message_id,
      t.run_rounds, t.run_from, t.budget_steps, t.budget_usd,
      coalesce(t.budget_since <= clock_timestamp() - interval '1 day', true) as budget_of_yesterday, t.retry_at,
      (select spend_caps from workspaces where id = ${head.workspaceId}) as caps,
      t.ran_on, ${speakingAgent(tx)} as speaker, s.handed,
      ${runningRevision(tx)} as running, ${overlayMark(tx)} as overlay_mark
    from turns t join sessions s on s.key = t.session_key
      left join agents a on a.workspace_id = s.workspace_id and a.id = ${speakingAgent(tx)}
    where t.id = ${turnId}`
  if (row === undefined) throw new Error(`Turn ${turnId} is on a head but not stored.`)
  return row
}

/** Whether the session runs on the same as before, as far as its agent is still there. */
export const isStill = (known: Running, { running, overlayMark, speaker }: TurnRow): boolean =>
  running === null ||
  (running === known.revision && overlayMark === known.overlayMark && speaker === known.config.agentId)

/** What the session runs on now. What is gone, or of another type, stays as it was until the turn is over. */
export async function runningNow(tx: Ctx, head: LockedSession, known: Running): Promise<Running> {
  const running = await agentOfSessionIfAny(tx, head.sessionKey)
  return running?.config.type === 'chat' ? { ...running, config: running.config } : known
}

/** What a turn before this one ran its newest step on, as its message says; null: there was none, or it does not say. */
export async function stepRanOn(tx: Ctx, head: LockedSession): Promise<RanOn | null> {
  const [row] = await tx.sql<Partial<RanOn>[]>`
    select payload ->> 'agentId' as agent_id, (payload -> 'revision')::int as revision from context
    where session_key = ${head.sessionKey} and kind = 'step' order by id desc limit 1`
  return row?.revision == null ? null : { agentId: row.agentId ?? head.agentId, revision: row.revision }
}

export async function newestEntry(tx: Ctx, head: LockedSession): Promise<Newest> {
  const [row] = await tx.sql<NonNullable<Newest>[]>`
    select id, kind, message_id from context where session_key = ${head.sessionKey} order by id desc limit 1`
  return row
}

/** The newest step's message, if its turn parked and so left it open; behind a message that was held back, that of its
 * "continue?". */
export async function parkedMessage(tx: Ctx, head: LockedSession, newest: Newest): Promise<string | null> {
  if (newest === undefined) return null
  const [row] =
    newest.kind === 'step'
      ? await tx.sql<{ id: string }[]>`
          select id from messages where session_key = ${head.sessionKey} and id = ${newest.messageId} and not done`
      : await tx.sql<{ id: string }[]>`
          select id from messages where session_key = ${head.sessionKey} and role = 'assistant' and not done
          order by pos desc limit 1`
  return row?.id ?? null
}

/** The message a failed turn was writing: "Retry now" goes on in it. */
export async function messageToRetry(tx: Ctx, retries: readonly WaitingItem[]): Promise<string | null> {
  const turnId = retries.at(-1)?.payload.turnId
  if (turnId === undefined) return null
  const [row] = await tx.sql<
    { messageId: string | null }[]
  >`select message_id from turns where id = ${turnId}`
  return row?.messageId ?? null
}

/** The newest step's entry; 0: there is none. */
export async function newestStep(tx: Ctx, head: LockedSession): Promise<number> {
  const [row] = await tx.sql<{ id: number }[]>`
    select id from context where session_key = ${head.sessionKey} and kind = 'step' order by id desc limit 1`
  return row?.id ?? 0
}
