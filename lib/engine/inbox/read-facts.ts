import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { atLimit } from './at-limit.ts'
import { type Facts, needsWorker } from './next-action.ts'

type Row = Omit<Facts, 'turn' | 'hasFailed' | 'isForwarded' | 'messages' | 'outOfBand'> & {
  isNew: boolean | null
  isCutOff: boolean | null
  isRetrying: boolean | null
  modes: string[]
  priorities: string[]
}

/** The fields of a session that its facts depend on. Some are unknown until the lock is held. */
export type FactsKey = Pick<LockedSession, 'sessionKey' | 'turnId' | 'epoch'> &
  Partial<Pick<LockedSession, 'status' | 'external'>>

/** Reads the facts for `nextAction`. Can be sent along with the session's lock, and then reads under it. */
export async function readFacts(ctx: Ctx, session: FactsKey): Promise<Facts> {
  const { sql } = ctx
  const key = session.sessionKey
  const [row] = await sql<Row[]>`
    with newest as (
      select id, kind, payload from context where session_key = ${key} order by id desc limit 1
    ), step as (
      select count(*) > 0 as called, coalesce(bool_or(result is null and deferred_at is null), false) as has_open_call
      from calls where session_key = ${key} and context_id = (select id from newest where kind = 'step')
    ), items as (
      select i.kind, i.mode, i.payload, c.kind as call_kind, c.state, c.deferred_at
      from inbox i left join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
      where i.session_key = ${key} and i.consumed_at is null
    )
    select
      (select message_id is null from turns where id = ${session.turnId}) as is_new,
      (select begun > committed from turns where id = ${session.turnId}) as is_cut_off,
      (select retry_at is not null from turns where id = ${session.turnId}) as is_retrying,
      exists (
        select from calls where session_key = ${key} and result is null and (
          (claimed_at is null and (state = 'approved' or (kind = 'server' and state = 'open')))
          or claimed_epoch < ${session.epoch})) as calls_to_run,
      (select coalesce(json_agg(distinct mode), '[]') from items where kind = 'message') as modes,
      exists (select from items where kind = 'retry') as retry,
      exists (select from items where kind = 'yield') as extra_step,
      exists (select from items where deferred_at is not null) as late_answer,
      exists (select from items where call_kind = 'limit' and state = 'approved')
        and coalesce((select kind <> 'step' from newest), false) as continue_approved,
      (select has_open_call from step) as has_open_call,
      (select called and not has_open_call from step)
        and not exists (select from newest where ${isFinalAnswer(ctx, key)}) as results,
      ${atLimit(ctx, session)} as at_limit,
      (select coalesce(json_agg(distinct payload ->> 'priority'), '[]') from items
        where kind = 'oob' and payload ->> 'resting' = 'false') as priorities`
  if (row === undefined) throw new Error(`The facts of session ${key} could not be read.`)
  const { isNew, isCutOff, isRetrying, modes, priorities, ...facts } = row
  const has = (priority: string) => priorities.includes(priority)
  return {
    ...facts,
    turn: isNew === null ? null : { isNew, isCutOff: isCutOff === true, isRetrying: isRetrying === true },
    hasFailed: session.status === 'failed',
    isForwarded: session.external === true,
    messages: {
      steering: modes.includes('steer'),
      interrupting: modes.some(needsWorker),
      queued: modes.includes('queue')
    },
    outOfBand: { critical: has('critical'), high: has('high'), normal: has('normal'), low: has('low') }
  }
}

/**
 * Returns an SQL condition: the newest step gave the agent's final answer (001-20), so its results start no
 * step. Either its call of `summary` succeeded and no plugin requested another step, or a plugin ended the
 * turn. The statement must contain a row `newest` with `id` and `payload`.
 */
const isFinalAnswer = ({ sql }: Ctx, sessionKey: number) => sql`(
  newest.payload ? 'endsTurn' or not newest.payload ? 'goesOn' and exists (
    select from calls c where c.session_key = ${sessionKey} and c.context_id = newest.id and c.tool_name = ${summaryTool}
      and c."where" not in ('external', 'browser') and c.result ->> 'type' = 'output'))`
