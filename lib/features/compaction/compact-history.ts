import { inTransaction } from '#db/transaction.ts'
import { billedTokens } from '#lib/engine/context/billed-tokens.ts'
import { type Made, moveWindow } from '#lib/engine/context/move-window.ts'
import type { Move } from '#lib/engine/context/read-window.ts'
import { type Bill, chargeBill } from '#lib/engine/limits/charge-bill.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import { entriesToMessages, withSummary } from '#lib/engine/turn/prompt.ts'
import { hasTtl, stripTtl } from '#lib/engine/turn/ttl.ts'
import type { ContextEntry, Spent, Step } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Piece } from '#lib/kernel/ports/summary-request.ts'
import { piecesOf } from './pieces-of.ts'
import { type Exchange, type Summary, summarize } from './summarize.ts'

/** Tokens of a summary: a tenth of the model's context, and within these. */
const size = { share: 0.1, least: 300, most: 2000 }
/** What is to be summed up takes this share of the model's context at most; the oldest of more is left out. */
const material = 0.7

/** What of the step that begins speaks to the model and to plugins. */
type Compacted = Pick<Step, 'model' | 'hooks' | 'filter'>

type Compacting = {
  move: Move
  messageId: string
  /** The window as it still is. */
  window: { entries: readonly ContextEntry[]; oobStart: number }
  model: string
  price: (usage: Spent['usage']) => number
  signal: AbortSignal
  /** How long the model may take, in milliseconds. */
  within: number
}

/**
 * Moves the window with a summary by the model (001-17). The model is asked in no transaction, with the lease held as in any
 * step; then one transaction, fenced by it, moves the window, keeps and shows the summary, and counts what it took. So a
 * crash leaves nothing of it, or all: the step that was begun is begun again, and finds the window as it was or as it is.
 * Where the model says nothing useful in time, the first words of what people asked stand there, and the reason is shown.
 * Stopped meanwhile, it changes nothing but the bill. Throws `LeaseLost`.
 */
export async function compactHistory(
  ctx: Ctx,
  lease: Lease,
  step: Compacted,
  work: Compacting
): Promise<void> {
  const { move, messageId, model, price, within } = work
  const began = performance.now()
  const most = Math.round(Math.min(size.most, Math.max(size.least, move.limit * size.share)))
  const pieces = newestOf(piecesOf(await leaving(step, work)), move.limit * material)
  const late = AbortSignal.timeout(within)
  const told = await summarize(step, pieces, Math.round(most / 2), AbortSignal.any([work.signal, late]))
  if (work.signal.aborted && told.exchanges.length === 0) return

  const summary = 'text' in told ? told.text : ''
  const problem = late.aborted && 'problem' in told ? tooSlow(within) : problemOf(told, most)
  const ms = Math.round(performance.now() - began)
  const bill = billOf(told.exchanges, price)
  const taken = { ...bill, ms }
  const made: Made =
    problem === undefined
      ? { madeBy: 'model', model, summary, ...taken }
      : { madeBy: 'words', summary: move.words, problem, ...taken }
  await inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    if (head.turnId === null) return
    // Also of a turn that was stopped: the model was asked.
    await chargeBill(tx, head, bill)
    if (work.signal.aborted || head.cancelRequested === head.turnId) return
    await moveWindow(tx, head, move, made, messageId)
  })
}

/** What leaves the prompt, as the model had it until now: without what it was not sent any more, or never (001-7). */
async function leaving({ filter }: Compacted, { move, window: { entries, oobStart } }: Compacting) {
  const said = entriesToMessages(entries, { oobStart, until: move.to })
  if (!hasTtl(entries)) return withSummary(said, { summary: move.before })
  const passed = await filter.run('beforeModel', { instructions: '', messages: said, tools: [] })
  const messages = 'payload' in passed && passed.changed ? passed.payload.messages : []
  return withSummary(stripTtl(messages), { summary: move.before })
}

/** As for a step: what the provider did not report is estimated, each time that it was asked. */
function billOf(exchanges: readonly Exchange[], price: Compacting['price']): Bill {
  const bill = { inputTokens: 0, outputTokens: 0, usd: 0 }
  for (const exchange of exchanges) {
    bill.inputTokens += exchange.usage.inputTokens
    bill.outputTokens += exchange.usage.outputTokens
    bill.usd += price(billedTokens(exchange, countTokens(exchange.prompt)))
  }
  return bill
}

const tooSlow = (within: number) => `The model took longer than ${within / 1000} s.`

/** Why the model's words are not taken; undefined: they are. */
function problemOf(told: Summary, most: number): string | undefined {
  if ('problem' in told) return told.problem
  if (told.text === '') return 'The model returned no text.'
  const tokens = countTokens(told.text)
  // It is told a number of words; some over it is no reason to lose what it has kept.
  if (tokens > most * 2) return `The summary was too long (${tokens} tokens instead of ${most}).`
  return undefined
}

/** As many of the pieces as fit, from the newest back; the summary of what came before them is the first, and stays. */
function newestOf(pieces: readonly Piece[], tokens: number): Piece[] {
  const [first, ...others] = pieces
  if (first === undefined) return []
  let left = tokens - countTokens(first.text)
  const from = others.findLastIndex(({ text }) => {
    left -= countTokens(text)
    return left < 0
  })
  return [first, ...others.slice(from + 1)]
}
