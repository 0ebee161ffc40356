import { notFound } from '@waystation/base/api-error.ts'
import { addFields } from '@waystation/base/log.ts'
import type { AgentConfig, AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { recoverClaims } from '#lib/engine/calls/claim.ts'
import { readToolLimits } from '#lib/engine/calls/tool-limits.ts'
import { type Lease, LeaseLost, lockForLease } from '#lib/engine/log/session-lock.ts'
import { runTurn } from '#lib/engine/turn/run-turn.ts'
import type { TurnEnd } from '#lib/engine/turn/turn.ts'
import type { Bill } from '#lib/engine/worker/limits/charge.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AnsweredCall, observer, type WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { retryDelay } from '#lib/kernel/retry-delay.ts'
import type { Committed } from './commit-step.ts'
import { poisonTurnError } from './crashes.ts'
import { endOwnTurn } from './end-turn.ts'
import type { Ending } from './ending.ts'
import { turnSoFar } from './read-run.ts'
import { overlayMark, overlayOf, runningConfig, runningRevision, withAgent } from './running-agent.ts'
import { releaseWaiting, waitForRetry } from './wait-for-retry.ts'
import type { BoundTurn, WorkerContext } from './worker-context.ts'

/**
 * Runs a session's turns one after the other until nothing can start. All state is in the database at each
 * `await`, because a cancel, a clean stop or a lost lease can end this at any of them.
 */
export async function advance(worker: WorkerContext): Promise<void> {
  const { ctx, lease, control } = worker
  for (let [continues, first] = [true, true]; continues && control.endedBy === undefined; first = false) {
    control.stop = new AbortController()
    control.turnId = undefined
    control.tools.clear()
    const work = await readWork(ctx, lease)
    if (work.hasStaleClaims) await recover(worker, work)
    addFields({ sessionId: work.sessionId, turnId: work.turnId ?? undefined })
    if (first && work.waited !== null) observer().sessionClaimed(work.waited)
    control.turnId = work.turnId ?? undefined
    if (work.cancelRequested !== null && work.cancelRequested === work.turnId) control.stop.abort('cancelled')
    const ending = work.turnId === null ? { outcome: 'done' as const } : await runLiveTurn(worker, work)
    if (control.endedBy !== undefined || ending === undefined) return
    continues = 'continues' in ending ? ending.continues : await endOwnTurn(ctx, lease, ending)
  }
}

type Work = {
  sessionId: string
  /** Seconds since the newest item was put into the inbox; null if the inbox is empty. */
  waited: number | null
  workspaceId: string
  agentId: string
  turnId: string | null
  generation: number
  cancelRequested: string | null
  clientTools: DeclaredTool[]
  attempt: number
  crashes: number
  /** True if a previous owner left claimed calls without a result. */
  hasStaleClaims: boolean
  /** The configuration that the session runs on now; null if its agent was deleted. */
  agent: AgentConfig | null
  revision: number | null
  overlay: AgentOverlay | null
  overlayMark: string | null
}

/**
 * Reads the session's live turn and agent. Needs no lock, because every write checks the lease. Throws
 * `LeaseLost`, also if this worker was declared dead: the reaper frees the session and wakes it elsewhere.
 */
async function readWork(ctx: Ctx, lease: Lease): Promise<Work> {
  const [work] = await ctx.sql<Work[]>`
    select s.id as session_id, s.workspace_id, s.agent_id, h.turn_id,
      h.generation,
      h.cancel_requested, s.client_tools, coalesce(t.attempt, 0) as attempt,
      coalesce(t.crashes, 0) as crashes, exists (
        select from calls c where c.session_key = h.session_key and c.result is null and c.claimed_epoch < h.epoch
      ) as has_stale_claims, ${runningConfig(ctx)} as agent, ${runningRevision(ctx)} as revision,
      ${overlayOf(ctx)} as overlay, ${overlayMark(ctx)} as overlay_mark,
      (select extract(epoch from clock_timestamp() - max(i.created_at))::float8 from inbox i
        where i.session_key = h.session_key and i.consumed_at is null) as waited
    from heads h join sessions s on s.key = h.session_key left join turns t on t.id = h.turn_id
      ${withAgent(ctx)}
    where h.session_key = ${lease.sessionKey} and h.epoch = ${lease.epoch} and h.owner = ${lease.workerId}
      and exists (select from workers where id = ${lease.workerId})`
  if (work === undefined) throw new LeaseLost(lease.sessionKey)
  return work
}

/** Recovers the calls of a dead worker. If the turn's step kills its workers, no tool runs again. */
async function recover({ ctx, lease, host }: WorkerContext, { crashes }: Work): Promise<void> {
  const canRepeat = (name: string) => poisonTurnError(crashes) === undefined && host.isRepeatable(name)
  await inTransaction(ctx, async tx => recoverClaims(tx, await lockForLease(tx, lease), canRepeat))
}

/**
 * Runs the live turn and returns how it must end, or that its last commit has ended it; undefined if the turn
 * continues later or on another worker.
 */
async function runLiveTurn(
  worker: WorkerContext,
  work: Work
): Promise<Ending | NonNullable<Committed['ended']> | undefined> {
  const { writer, host, lease, control } = worker
  const error = poisonTurnError(work.crashes)
  if (error !== undefined && !control.stop.signal.aborted) return { outcome: 'failed', error }
  const turnId = work.turnId as string
  const scoped = {
    ...worker.ctx,
    workspaceId: work.workspaceId,
    actor: { kind: 'system', name: 'server', workspaceId: work.workspaceId }
  } as Ctx
  const notify = {
    onLost: () => {
      control.endedBy = 'lost'
      control.stop.abort('lost')
    },
    onCancel: (cancelled: string) => {
      if (cancelled === turnId) control.stop.abort('cancelled')
    }
  }
  const { sessionId, agentId, workspaceId, generation } = work
  const model = work.agent?.type === 'chat' ? work.agent.chat.model : undefined
  const answered: AnsweredCall[] = []
  const watched = recordAnswered(answered, observer().turn({ sessionId, agentId, turnId, model }))
  let end: TurnEnd = { kind: 'done' }
  let bound: BoundTurn | undefined
  const holder = { workspaceId, sessionKey: lease.sessionKey, generation }
  const releasePrograms = scoped.ports.programs?.hold(holder)
  try {
    if (work.agent?.type !== 'chat') throw notFound('chat agent', work.agentId)
    const { overlay, overlayMark, clientTools } = work
    const running = { revision: work.revision ?? 0, config: work.agent, overlay, overlayMark }
    const turnWork = { sessionId, turnId, generation, agentId, clientTools, running, answered }
    bound = await host.bindTurn({ ...worker, ctx: scoped }, turnWork, watched, notify)
    for await (const event of runTurn(bound.turn)) {
      if (event.type === 'end') end = event.end
      else
        writer.push(lease, { type: 'chunk', turnId, messageId: event.messageId, chunk: event.chunk }, notify)
    }
  } catch (error) {
    // A temporary database error is not a failure of the turn. The session is released and woken again a
    // second later.
    if (error instanceof LeaseLost || control.endedBy !== undefined || isTransient(error)) throw error
    end = { kind: 'failed', error: host.describeError(error) }
  } finally {
    releasePrograms?.(control.endedBy === 'lost')
    watched.released()
  }
  await writer.settled(lease.sessionKey)
  if (control.endedBy !== undefined) return undefined
  const ended = bound?.ended()
  if (ended !== undefined) return ended
  const bill = bound?.unbilledUsage()
  const ending = await endingOf(scoped, lease, end, work, bill)
  if (ending === undefined) return undefined
  const hooks = await bound?.hooksAtEnd()
  hooks?.watch('onStatus', { status: ending.outcome })
  if (hooks?.has('onTurn')) {
    const soFar = await turnSoFar(scoped, lease.sessionKey, turnId)
    hooks.watch('onTurn', { outcome: ending.outcome, ...soFar })
  }
  return { ...ending, answered, ...(bill === undefined ? {} : { bill }) }
}

/** Records the calls whose answers the turn's steps take in, for the end of the turn. */
const recordAnswered = (answered: AnsweredCall[], watched: WatchedTurn): WatchedTurn => ({
  ...watched,
  stepStarted(calls) {
    answered.push(...calls.map(({ toolCallId, turnId }) => ({ toolCallId, turnId })))
    watched.stepStarted(calls)
  }
})

async function endingOf(
  ctx: Ctx,
  lease: Lease,
  end: TurnEnd,
  { attempt, agent }: Work,
  bill: Bill | undefined
): Promise<Ending | undefined> {
  const chat = agent?.type === 'chat' ? agent.chat : undefined
  switch (end.kind) {
    case 'done':
    case 'parked':
      return { outcome: end.kind }
    case 'waiting':
      return (await releaseWaiting(ctx, lease)) ? undefined : { outcome: await stopOutcome(ctx, lease) }
    case 'aborted': {
      const outcome = await stopOutcome(ctx, lease)
      return end.partial === undefined ? { outcome } : { outcome, partial: end.partial }
    }
    case 'failed': {
      const { retryAfterMs, ...error } = end.error
      const { retry } = await readToolLimits(ctx, chat)
      if (!error.retryable || attempt + 1 >= retry.maxAttempts) return { outcome: 'failed', error }
      const seconds = retryDelay(retry, attempt, retryAfterMs)
      return (await waitForRetry(ctx, lease, error, seconds, bill))
        ? undefined
        : { outcome: await stopOutcome(ctx, lease) }
    }
  }
}

/**
 * Tells whether an error is a temporary database error: a lost connection, a lock timeout, or a database that
 * starts or stops (SQLSTATE 08, 40, 53, 55P03, 57P).
 */
const isTransient = (error: unknown): boolean =>
  /^(08...|40...|53...|55P03|57P..|CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(
    String((error as { code?: unknown })?.code ?? '')
  ) && !(error as { isRetryable?: unknown })?.isRetryable

/** A stop is an interrupt if a message that interrupts is waiting. */
async function stopOutcome(ctx: Ctx, lease: Lease): Promise<'interrupted' | 'cancelled'> {
  const [row] = await ctx.sql<{ waits: boolean }[]>`
    select exists (select from inbox where session_key = ${lease.sessionKey} and consumed_at is null and mode = 'interrupt') as waits`
  return row?.waits ? 'interrupted' : 'cancelled'
}
