import type { Fragment } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { type Opening, openCalls } from '#lib/engine/calls/open.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import { addEntry } from '#lib/engine/context/context-entries.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { isRunnable } from '#lib/engine/inbox/next-action.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { charge } from '#lib/engine/limits/charge.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { FinishedStep } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import { textOf } from '#lib/protocol/session/message.ts'
import type { PromptUsage } from '#lib/protocol/session/prompt-usage.ts'

/** What a step ran on, and whose agent's. `prompt`: its model, and what its prompt was estimated at; without it nothing is learnt
 * of them. */
type Ran = RanOn & {
  prompt?: Pick<PromptUsage, 'model' | 'estimated'>
}

/** What features do with the calls of a step, in the transaction that commits it. */
export type CommitHost = {
  /** Parts of the statement that commits the step (`, name as (…)`), which keep the prompt that it was given. */
  keepPrompt: (
    tx: Ctx,
    head: LockedSession,
    at: { id: number; messageId: string; tokens: number; estimated: number }
  ) => Fragment
  /** The calls as they open: with who is asked, what a person is shown, or why one fails at once. */
  openings: (tx: Ctx, head: LockedSession, calls: FinishedStep['calls']) => Promise<Opening[]>
  /** Calls were opened. */
  onOpened: (tx: Ctx, head: LockedSession, calls: readonly CallRow[]) => Promise<void>
  /** A plugin gave the next round to another agent. */
  handOff: (
    tx: Ctx,
    head: LockedSession,
    to: { agentId: string; plugin: string; reason?: string | undefined }
  ) => Promise<void>
}

/**
 * Commits a step whole (docs/concepts/engine.md#commit): `finish-step`, its place in the model's context, its calls with everything they
 * freeze, their deliveries and its usage, in one fenced transaction; with the agent's revision that it ran on, and the tokens that
 * its prompt was estimated at beside those that the provider reported (001-17). Nothing of it can be run or answered before.
 * The step's chunks are already in the log: the caller has let the appender settle. `over`: the step called nothing and
 * nothing else waits, so there is nothing to begin; what comes from now on is seen when the turn lets go. `contextId`: its entry.
 */
export async function commitStep(
  ctx: Ctx,
  lease: Lease,
  messageId: string,
  step: FinishedStep,
  { agentId, revision, prompt }: Ran,
  usd: number,
  host: CommitHost
): Promise<{ over: boolean; contextId: number }> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const turnId = head.turnId
    if (turnId === null) throw new Error(`Session ${head.sessionId} has an owner in a step but no turn.`)
    const { to, plugin, reason } = step.next ?? {}
    const untold = step.calls.filter(({ error }) => error !== undefined).map(({ toolCallId }) => toolCallId)
    const contextId = await addEntry(tx, head, {
      kind: 'step',
      turnId,
      messageId,
      payload: {
        content: step.content,
        callIds: step.calls.map(call => call.toolCallId),
        revision,
        // Of these no plugin was told: they never came to be called.
        ...(untold.length === 0 ? {} : { untold }),
        ...(step.duration === undefined ? {} : { duration: step.duration }),
        ...(agentId === head.agentId ? {} : { agentId }),
        ...(to === undefined ? {} : to === 'human' ? { endsTurn: true } : { goesOn: true })
      },
      tokens: countTokens(JSON.stringify(step.content)),
      ...(prompt === undefined ? {} : { usage: { ...prompt, reported: step.usage.inputTokens } })
    })
    const at = { messageId, turnId, contextId }
    const opened = await openCalls(tx, head, at, await host.openings(tx, head, step.calls))
    await host.onOpened(tx, head, opened)
    if (to?.startsWith('agent:'))
      await host.handOff(tx, head, { agentId: to.slice('agent:'.length), plugin: plugin ?? '', reason })
    // Results begin a round by themselves.
    if (to !== undefined && to !== 'human' && step.calls.length === 0) await put(tx, head, { kind: 'yield' })
    const [calls] = await together([
      callsOfMessage(tx, head.sessionKey, messageId),
      append(tx, head, [{ type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }])
    ])
    const message = await refold(tx, head, messageId, calls)
    const kept = {
      id: contextId,
      messageId,
      tokens: step.usage.inputTokens,
      estimated: prompt?.estimated ?? 0
    }
    await tx.sql`
      with said as (
        update sessions set active_at = clock_timestamp(), snippet = ${snippetOf(message)} where key = ${head.sessionKey}
      ), charged as (${charge(tx, head, usd)}) ${host.keepPrompt(tx, head, kept)}
      update turns set committed = begun, input_tokens = input_tokens + ${step.usage.inputTokens}, attempt = 0, crashes = 0,
        output_tokens = output_tokens + ${step.usage.outputTokens}, usd = usd + ${usd}, budget_usd = budget_usd + ${usd}
      where id = ${turnId}`
    return { over: step.calls.length === 0 && !isRunnable(await readFacts(tx, head)), contextId }
  })
}

const snippetOf = (message: Parameters<typeof textOf>[0] | undefined) =>
  message === undefined ? '' : (textOf(message).trim().split('\n').at(-1)?.slice(0, 160) ?? '')
