import type { ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { SpendCaps } from '@waystation/protocol/call/spending.ts'
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

/** The agent configuration that a step runs on. */
export type Running = RunningAgent<ChatAgent>

/** The turn of a step, and the agent that the session runs on now. */
export type TurnRow = {
  now: string
  begun: number
  committed: number
  beganAt: string | null
  messageId: string | null
  budgetSteps: number
  budgetUsd: number
  /** True if the budget started at least a day ago. */
  budgetOfYesterday: boolean
  /**
   * The number of committed steps of earlier turns of the run, and the entry after which the run's messages
   * start (`read-run.ts`).
   */
  runRounds: number
  runFrom: number | null
  caps: SpendCaps
  retryAt: string | null
  /** The revision that the session runs on now; null if the agent was deleted. */
  running: number | null
  overlayMark: string | null
  /** The agent that speaks now, and the handoff that made it speak, or speak again. */
  speaker: string
  handed: HandOff | null
  /** The agent and revision of the turn's newest step, or else of the session's; null if they are unknown. */
  ranOn: RanOn | null
}

/** The newest entry of the context. */
export type Newest = { id: number; kind: string; messageId: string | null }

/**
 * Reads the turn, the workspace's spending caps, the session's current agent and revision, and the newest
 * entry of the context. If there are no caps and nothing has changed, no further query is needed.
 */
export async function readTurn(
  tx: Ctx,
  session: LockedSession,
  turnId: string
): Promise<{ turn: TurnRow; newest: Newest | null }> {
  const [row] = await tx.sql<(TurnRow & { newest: Newest | null })[]>`
    select clock_timestamp() as now, t.begun, t.committed, t.began_at, t.message_id,
      t.run_rounds, t.run_from, t.budget_steps, t.budget_usd,
      coalesce(t.budget_since <= clock_timestamp() - interval '1 day', true) as budget_of_yesterday, t.retry_at,
      (select spend_caps from workspaces where id = ${session.workspaceId}) as caps,
      coalesce(t.ran_on, (
        select case when payload ? 'revision' then jsonb_build_object(
          'agentId', coalesce(payload ->> 'agentId', s.agent_id), 'revision', payload -> 'revision') end
        from context where session_key = s.key and kind = 'step' order by id desc limit 1)) as ran_on,
      (select json_build_object('id', id, 'kind', kind, 'messageId', message_id)
        from context where session_key = s.key order by id desc limit 1) as newest,
      ${speakingAgent(tx)} as speaker, s.handed,
      ${runningRevision(tx)} as running, ${overlayMark(tx)} as overlay_mark
    from turns t join sessions s on s.key = t.session_key
      left join agents a on a.workspace_id = s.workspace_id and a.id = ${speakingAgent(tx)}
    where t.id = ${turnId}`
  if (row === undefined) throw new Error(`Turn ${turnId} is on a head but not stored.`)
  const { newest, ...turn } = row
  return { turn, newest }
}

/** Tells whether the agent configuration is unchanged. If the agent was deleted, the known one still applies. */
export const isUnchanged = (known: Running, { running, overlayMark, speaker }: TurnRow): boolean =>
  running === null ||
  (running === known.revision && overlayMark === known.overlayMark && speaker === known.config.agentId)

/**
 * Returns the current agent configuration. If the agent was deleted or changed its type, `known` applies
 * until the turn ends.
 */
export async function currentAgent(tx: Ctx, session: LockedSession, known: Running): Promise<Running> {
  const running = await agentOfSessionIfAny(tx, session.sessionKey)
  return running?.config.type === 'chat' ? { ...running, config: running.config } : known
}

/**
 * Returns the message that a parked turn left open: the message of the newest step or, if a cap stopped a
 * user message after it, that of its "continue?".
 */
export async function parkedMessage(
  tx: Ctx,
  session: LockedSession,
  newest: Newest | null
): Promise<string | null> {
  if (newest === null) return null
  const [row] =
    newest.kind === 'step'
      ? await tx.sql<{ id: string }[]>`
          select id from messages where session_key = ${session.sessionKey} and id = ${newest.messageId} and not done`
      : await tx.sql<{ id: string }[]>`
          select id from messages where session_key = ${session.sessionKey} and role = 'assistant' and not done
          order by pos desc limit 1`
  return row?.id ?? null
}

/** Returns the message of the failed turn, which "Retry now" continues. */
export async function messageToRetry(tx: Ctx, retries: readonly WaitingItem[]): Promise<string | null> {
  const turnId = retries.at(-1)?.payload.turnId
  if (turnId === undefined) return null
  const [row] = await tx.sql<
    { messageId: string | null }[]
  >`select message_id from turns where id = ${turnId}`
  return row?.messageId ?? null
}

/** Returns the ID of the newest step's entry; 0 if there is none. */
export async function newestStep(tx: Ctx, session: LockedSession): Promise<number> {
  const [row] = await tx.sql<{ id: number }[]>`
    select id from context where session_key = ${session.sessionKey} and kind = 'step' order by id desc limit 1`
  return row?.id ?? 0
}
