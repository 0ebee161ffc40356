import { ApiError } from '@waystation/base/api-error.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import type { Stage } from '#bench/stage.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

/**
 * - `winners`: contenders whose response said that they settled the call.
 * - `lost`: contenders that received an error.
 * - `informed`: losers whose error named the winner.
 * - `wrong`: a description of each race with a failure. It had not exactly one winner, its winner was not the
 *   stored one, or a loser received another error.
 */
export type Races = {
  races: number
  contenders: number
  winners: number
  lost: number
  informed: number
  wrong: string[]
}

const callsOfStep = 50
/** The number of races at the same time. Each contender uses a connection. */
const atOnce = 4

/**
 * Lets two to eight contenders settle each of `races` open calls at once, with different answers, a cancel and the
 * deadline.
 */
export async function raceToSettle(stage: Stage, races: number): Promise<Races> {
  const totals: Races = { races: 0, contenders: 0, winners: 0, lost: 0, informed: 0, wrong: [] }
  while (totals.races < races) {
    const sessionId = await stage.session()
    await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: `ask ${callsOfStep}` }))
    await stage.rest()
    const calls = await stage.sql<{ id: string }[]>`
      select tool_call_id as id from calls c join sessions s on s.key = c.session_key
      where s.id = ${sessionId} and c.state = 'open'`
    for (let from = 0; from < calls.length; from += atOnce)
      await Promise.all(
        calls
          .slice(from, from + atOnce)
          .map(({ id }, n) => race(stage, totals, sessionId, id, totals.races + n))
      )
    await stage.rest()
  }
  return totals
}

async function race(
  stage: Stage,
  totals: Races,
  sessionId: string,
  toolCallId: string,
  n: number
): Promise<void> {
  const count = 2 + (n % 7)
  // In every fifth race, the deadline passes while the contenders run.
  const due = n % 5 === 0
  const contenders = Array.from({ length: count }, (_, index) => {
    if (due && index === count - 1)
      return stage.sql`
        update calls set deadline = clock_timestamp() where tool_call_id = ${toolCallId} and state = 'open'`.then(
        () => undefined
      )
    if (index === 1 && n % 3 === 0) return cancelCall(stage.ctx, { sessionId, toolCallId })
    return answerCall(stage.ctx, { sessionId, toolCallId, answer: { output: { answer: `${index}` } } })
  })
  const outcomes = await Promise.allSettled(contenders)
  const [stored] = await stage.sql<{ state: string }[]>`
    select state from calls where tool_call_id = ${toolCallId}`
  const claims = outcomes.flatMap(outcome =>
    outcome.status === 'fulfilled' && outcome.value ? [outcome.value.state] : []
  )
  const lost = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const withWinner = lost.filter(
    reason =>
      reason instanceof ApiError && reason.code === 'ALREADY_SETTLED' && reason.extra.winner !== undefined
  )
  const byDeadline = stored?.state === 'expired'
  const isCorrect = byDeadline ? claims.length === 0 : claims.length === 1 && claims[0] === stored?.state
  totals.races += 1
  totals.contenders += outcomes.length
  totals.winners += byDeadline ? 1 : claims.length
  totals.lost += lost.length
  totals.informed += withWinner.length
  if (isCorrect && withWinner.length === lost.length) return
  const otherErrors = lost.filter(reason => !withWinner.includes(reason)).map(String)
  totals.wrong.push(`${stored?.state}, told ${claims.join(' and ') || 'nobody'}; ${otherErrors.join('; ')}`)
}
