import { inTransaction } from '#db/transaction.ts'
import { moveWindow, type WindowSummary } from '#lib/engine/context/move-window.ts'
import type { Move } from '#lib/engine/context/read-window.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import { entriesToMessages, withSummary } from '#lib/engine/turn/prompt.ts'
import { hasTtl, stripTtl } from '#lib/engine/turn/ttl.ts'
import type { ContextEntry, ShortOob, Spent, Step } from '#lib/engine/turn/turn.ts'
import { type Bill, chargeBill } from '#lib/engine/worker/limits/charge.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Piece } from '#lib/kernel/ports/summary-request.ts'
import { billedTokens } from './billed-tokens.ts'
import { piecesOf } from './pieces-of.ts'
import { type Exchange, type Summary, summarize } from './summarize.ts'

/** Tokens of a summary: a share of the model's context, within these limits. */
const size = { share: 0.1, least: 300, most: 2000 }
/** The maximum share of the model's context for the text to summarize. Older text is left out. */
const materialShare = 0.7

/** The parts of the new step that call the model and the plugins. */
type StepServices = Pick<Step, 'model' | 'hooks' | 'serverHooks'>

type CompactionWork = {
  move: Move
  messageId: string
  /** The context window before it moves. */
  window: { entries: readonly ContextEntry[]; shortOob: ShortOob }
  model: string
  price: (usage: Spent['usage']) => number
  signal: AbortSignal
  /** The model's time limit, in milliseconds. */
  within: number
}

/**
 * Moves the context window and replaces the removed part with a summary by the model (001-17). The model runs
 * outside any transaction, while the lease is held. One transaction, fenced by the lease, then moves the
 * window, stores and shows the summary, and charges its cost. After a crash the step starts again and finds
 * the window either moved or unchanged.
 *
 * If the model gives no usable summary in time, the start of the users' messages replaces it, and the reason
 * is shown. If the turn is stopped, only the cost is charged. Throws `LeaseLost`.
 */
export async function compactHistory(
  ctx: Ctx,
  lease: Lease,
  step: StepServices,
  work: CompactionWork
): Promise<void> {
  const { move, messageId, model, price, within } = work
  const began = performance.now()
  const maxTokens = Math.round(Math.min(size.most, Math.max(size.least, move.limit * size.share)))
  const pieces = newestOf(piecesOf(await messagesToRemove(step, work)), move.limit * materialShare)
  const timeout = AbortSignal.timeout(within)
  const summary = await summarize(
    step,
    pieces,
    Math.round(maxTokens / 2),
    AbortSignal.any([work.signal, timeout])
  )
  if (work.signal.aborted && summary.exchanges.length === 0) return

  const text = 'text' in summary ? summary.text : ''
  const problem = timeout.aborted && 'problem' in summary ? tooSlow(within) : problemOf(summary, maxTokens)
  const ms = Math.round(performance.now() - began)
  const bill = billOf(summary.exchanges, price)
  const cost = { ...bill, ms }
  const compaction: WindowSummary =
    problem === undefined
      ? { madeBy: 'model', model, summary: text, ...cost }
      : { madeBy: 'words', summary: move.words, problem, ...cost }
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    if (session.turnId === null) return
    // Charge a stopped turn as well: the model was called.
    await chargeBill(tx, session, bill)
    if (work.signal.aborted || session.cancelRequested === session.turnId) return
    await moveWindow(tx, session, move, compaction, messageId)
  })
}

/**
 * Returns the messages that leave the prompt, as the model last saw them. Expired messages and those never
 * sent are left out (001-7).
 */
async function messagesToRemove(
  { serverHooks, model }: StepServices,
  { move, window: { entries, shortOob } }: CompactionWork
) {
  const messages = entriesToMessages(entries, { shortOob, until: move.to })
  if (!hasTtl(entries)) return withSummary(messages, { summary: move.before })
  const filterHooks = await serverHooks()
  const filtered = await filterHooks.run('beforeModel', {
    model: model.name,
    instructions: '',
    messages,
    tools: []
  })
  const visible = 'payload' in filtered && filtered.changed ? filtered.payload.messages : []
  return withSummary(stripTtl(visible), { summary: move.before })
}

/** Estimates usage that the provider did not report, as for a step. Each model call counts. */
function billOf(exchanges: readonly Exchange[], price: CompactionWork['price']): Bill {
  const bill = { inputTokens: 0, outputTokens: 0, usd: 0 }
  for (const exchange of exchanges) {
    bill.inputTokens += exchange.usage.inputTokens
    bill.outputTokens += exchange.usage.outputTokens
    bill.usd += price(billedTokens(exchange, countTokens(exchange.prompt)))
  }
  return bill
}

const tooSlow = (within: number) => `The model took longer than ${within / 1000} s.`

/** Returns why the summary is unusable, or undefined if it is usable. */
function problemOf(summary: Summary, maxTokens: number): string | undefined {
  if ('problem' in summary) return summary.problem
  if (summary.text === '') return 'The model returned no text.'
  const tokens = countTokens(summary.text)
  // The model receives a limit in words and may exceed it a little. Up to twice the limit is accepted.
  if (tokens > maxTokens * 2) return `The summary was too long (${tokens} tokens instead of ${maxTokens}).`
  return undefined
}

/** Returns the newest pieces that fit. The first piece is the previous summary and always stays. */
function newestOf(pieces: readonly Piece[], tokens: number): Piece[] {
  const [first, ...others] = pieces
  if (first === undefined) return []
  let remaining = tokens - countTokens(first.text)
  const from = others.findLastIndex(({ text }) => {
    remaining -= countTokens(text)
    return remaining < 0
  })
  return [first, ...others.slice(from + 1)]
}
