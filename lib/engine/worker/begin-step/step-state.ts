import type { ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { SpendCaps } from '@waystation/protocol/call/spending.ts'
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

/** The turn of a step, and where the session's context and transcript end. */
export type StoredTurn = {
  turn: TurnRow
  /** The newest entry of the context. */
  newest: { id: number; kind: string; messageId: string | null } | null
  /**
   * The message that a parked turn left open; null if there is none. It is the message of the newest step or,
   * if a cap stopped a user message after it, that of its "continue?".
   */
  parked: string | null
  /** The message of the failed turn, which "Retry now" continues; null if there is no retry. */
  retried: string | null
  /** The entry of the newest step; 0 if there is none. */
  newestStep: number
}

/**
 * Reads the turn, the workspace's spending caps, the session's current agent and revision, and the newest
 * entry of the context. If there are no caps and nothing has changed, no further query is needed.
 */
export async function readTurn(tx: Ctx, turnId: string): Promise<StoredTurn> {
  const [row] = await tx.sql<(TurnRow & Omit<StoredTurn, 'turn'>)[]>`
    select clock_timestamp() as now, t.begun, t.committed, t.began_at, t.message_id,
      t.run_rounds, t.run_from, t.budget_steps, t.budget_usd,
      coalesce(t.budget_since <= clock_timestamp() - interval '1 day', true) as budget_of_yesterday, t.retry_at,
      (select spend_caps from workspaces where id = s.workspace_id) as caps,
      coalesce(t.ran_on, (
        select case when payload ? 'revision' then jsonb_build_object(
          'agentId', coalesce(payload ->> 'agentId', s.agent_id), 'revision', payload -> 'revision') end
        from context where session_key = s.key and kind = 'step' order by id desc limit 1)) as ran_on,
      case when n.id is not null
        then json_build_object('id', n.id, 'kind', n.kind, 'messageId', n.message_id) end as newest,
      case when n.kind = 'step'
        then (select id from messages where session_key = s.key and id = n.message_id and not done)
        when n.id is not null then (
          select id from messages where session_key = s.key and role = 'assistant' and not done order by pos desc limit 1)
        end as parked,
      (select r.message_id from inbox i join turns r on r.id = i.payload ->> 'turnId'
        where i.session_key = s.key and i.consumed_at is null and i.kind = 'retry' order by i.id desc limit 1) as retried,
      coalesce((
        select id from context where session_key = s.key and kind = 'step' order by id desc limit 1), 0) as newest_step,
      ${speakingAgent(tx)} as speaker, s.handed,
      ${runningRevision(tx)} as running, ${overlayMark(tx)} as overlay_mark
    from turns t join sessions s on s.key = t.session_key
      left join lateral (
        select id, kind, message_id from context where session_key = s.key order by id desc limit 1) n on true
      left join agents a on a.workspace_id = s.workspace_id and a.id = ${speakingAgent(tx)}
    where t.id = ${turnId}`
  if (row === undefined) throw new Error(`Turn ${turnId} is on a head but not stored.`)
  const { newest, parked, retried, newestStep, ...turn } = row
  return { turn, newest, parked, retried, newestStep }
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
