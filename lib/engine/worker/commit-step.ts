import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { Chunk, LoggedEvent } from '@waystation/protocol/session/event.ts'
import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'
import type { Fragment } from '#db/client.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { isWaiting, type Opening, openCalls } from '#lib/engine/calls/open.ts'
import { addEntry } from '#lib/engine/context/context-entries.ts'
import { foldOf, readFold, storeFold } from '#lib/engine/context/refold.ts'
import { type Facts, isRunnable, nextAction } from '#lib/engine/inbox/next-action.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { append, change } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { FinishedStep } from '#lib/engine/turn/turn.ts'
import { charge } from '#lib/engine/worker/limits/charge.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { previewOfLast } from '#lib/kernel/list-texts.ts'
import { endWithStep, readEnd } from './end-turn.ts'
import type { Ending } from './ending.ts'

/**
 * The agent and revision of a step. `prompt` contains its model and the estimated size of its prompt; if it
 * is absent, the step does not affect the token ratio.
 */
type StepOrigin = RanOn & {
  prompt?: Pick<PromptUsage, 'model' | 'estimated'>
}

/**
 * The state of the turn after the commit. `over`: nothing starts another step, so the turn ends with this
 * outcome. Later input is seen when the turn ends. `ended`: the commit has ended the turn, and tells whether
 * the owner continues (`endTurn`).
 */
export type Committed = { over?: 'done' | 'parked'; ended?: { continues: boolean } }

/** Hooks that features add to the commit of a step. Each runs in its transaction. */
export type CommitHost = {
  /** Returns parts of the commit's statement (`, name as (…)`), which store the step's prompt. */
  keepPrompt: (
    tx: Ctx,
    session: LockedSession,
    at: { id: number; messageId: string; tokens: number; estimated: number }
  ) => Fragment
  /** Prepares the step's calls for opening: who can answer, how a call is shown, and why it fails at once. */
  openings: (tx: Ctx, session: LockedSession, calls: FinishedStep['calls']) => Promise<Opening[]>
  /** Runs after the calls were opened. */
  onOpened: (tx: Ctx, session: LockedSession, calls: readonly CallRow[]) => Promise<void>
  /** Hands the session off to another agent, because a plugin requested it. */
  handOff: (
    tx: Ctx,
    session: LockedSession,
    to: { agentId: string; plugin: string; reason?: string | undefined }
  ) => Promise<void>
  /** Runs after the commit, with the ID of the step's context entry. */
  onCommitted: (contextId: number) => void
}

/**
 * Commits a step as a whole, in one transaction that checks the lease (docs/concepts/engine.md#commit). It
 * stores `finish-step`, the context entry, the calls with everything that they freeze, their deliveries and
 * the usage. It also stores the agent's revision, and the estimated tokens of the prompt next to the reported
 * ones (001-17). No call can run or be answered before.
 *
 * `step.unwritten` contains the step's chunks that are not in the log yet (`BatchWriter.take`). With `ending`,
 * the last step of a turn also ends the turn, as `done` or `parked`, which saves one or two transactions. A
 * requested cancel prevents this.
 */
export async function commitStep(
  ctx: Ctx,
  lease: Lease,
  messageId: string,
  step: FinishedStep & { unwritten?: readonly LoggedEvent[] },
  { agentId, revision, prompt }: StepOrigin,
  usd: number,
  host: CommitHost,
  ending?: Omit<Ending, 'outcome'>
): Promise<Committed> {
  return inTransaction(ctx, async tx => {
    const { to, plugin, reason } = step.next ?? {}
    // A step that opens no calls and requests no other step changes nothing that these reads depend on.
    const isPlain = step.calls.length === 0 && (to === undefined || to === 'human')
    const [session, early, plainEnd] = await pipelined([
      lockForLease(tx, lease),
      isPlain ? readFold(tx, lease.sessionKey, messageId) : undefined,
      isPlain ? readEnd(tx, lease.sessionKey) : undefined
    ])
    const { sessionKey, turnId } = session
    if (turnId === null) throw new Error(`Session ${session.sessionId} has an owner in a step but no turn.`)
    const { inputTokens, outputTokens, ...cached } = step.usage
    const failedIds = step.calls.flatMap(({ error, toolCallId }) => (error === undefined ? [] : toolCallId))
    append(tx, session, step.unwritten ?? [])
    const adding = addEntry(tx, session, {
      kind: 'step',
      turnId,
      messageId,
      payload: {
        content: step.content,
        callIds: step.calls.map(call => call.toolCallId),
        revision,
        // Plugins do not receive the results of these calls, because they were never called.
        ...(failedIds.length === 0 ? {} : { untold: failedIds }),
        ...(step.duration === undefined ? {} : { duration: step.duration }),
        ...(agentId === session.agentId ? {} : { agentId }),
        ...(to === undefined ? {} : to === 'human' ? { endsTurn: true } : { goesOn: true })
      },
      tokens: countTokens(JSON.stringify(step.content)),
      ...(prompt && { usage: { ...prompt, reported: inputTokens, ...cached, output: outputTokens, usd } })
    })
    const [contextId, plainFacts] = await pipelined([adding, isPlain ? readFacts(tx, session) : undefined])
    const at = { messageId, turnId, contextId }
    const opened = await openCalls(tx, session, at, await host.openings(tx, session, step.calls))
    await host.onOpened(tx, session, opened)
    if (to?.startsWith('agent:'))
      await host.handOff(tx, session, { agentId: to.slice('agent:'.length), plugin: plugin ?? '', reason })
    // A step with calls needs no yield, because its results start the next step.
    if (!isPlain && step.calls.length === 0) await put(tx, session, { kind: 'yield' })
    const mayPark = ending !== undefined && opened.some(isWaiting)
    const [stored, facts, end] = isPlain
      ? [early, plainFacts, plainEnd]
      : await pipelined([
          readFold(tx, sessionKey, messageId),
          mayPark ? readFacts(tx, session) : undefined,
          mayPark ? readEnd(tx, sessionKey) : undefined
        ])
    const over = facts && outcomeOf(facts)
    // If an external agent has taken over, the end of the turn forwards the inbox to it.
    const endsHere = !session.external && session.cancelRequested !== turnId
    const outcome = ending && end && endsHere ? over : undefined
    const write = (chunk: Chunk): LoggedEvent => ({ type: 'chunk', messageId, turnId, chunk })
    append(tx, session, [write({ type: 'finish-step' })])
    if (outcome === 'done') append(tx, session, [write({ type: 'finish' })])
    const fold = stored && foldOf(stored, session.unsaved)
    change(tx, session, { isActive: true, snippet: previewOfLast(fold?.message) })
    const stepUsage = { id: contextId, messageId, tokens: inputTokens, estimated: prompt?.estimated ?? 0 }
    const stepUpdate = tx.sql`
      with charged as (${charge(tx, session, usd)}) ${host.keepPrompt(tx, session, stepUsage)}
      update turns set committed = begun, input_tokens = input_tokens + ${inputTokens}, attempt = 0, crashes = 0,
        output_tokens = output_tokens + ${outputTokens}, usd = usd + ${usd}, budget_usd = budget_usd + ${usd}
      where id = ${turnId}`.execute()
    tx.afterCommit(() => host.onCommitted(contextId))
    tx.beforeCommit(pipelined([stepUpdate, fold && storeFold(tx, sessionKey, fold, outcome === 'done')]))
    // Until the turn has ended, a stop must find its open calls.
    if (!outcome || !facts || !end) return over === 'done' ? { over } : {}
    const continues = await endWithStep(tx, session, turnId, { ...ending, outcome }, { facts, ...end })
    return { over, ended: { continues } }
  })
}

/** Returns how a turn ends with this commit; undefined if something starts a step or calls can run. */
function outcomeOf(facts: Facts): Committed['over'] {
  // After the commit, no step of the turn is cut off.
  const after = { ...facts, turn: facts.turn && { ...facts.turn, isCutOff: false } }
  if (isRunnable(after)) return undefined
  return nextAction(after) === 'park' ? 'parked' : 'done'
}
