import { answerCall } from '#lib/engine/calls/answer.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { Stage } from './stage.ts'

/**
 * `winners`: contenders who were told that they settled it. `lost`: those who were refused; `told`: of them, who were told who won. `wrong`: races without exactly
 * one winner, whose winner is not the one that is stored, or with a loser who was told anything else:
 * what happened in each.
 */
export type Races = {
  races: number
  contenders: number
  winners: number
  lost: number
  told: number
  wrong: string[]
}

const callsOfStep = 50
/** Races at the same time: each contender is a connection. */
const atOnce = 4

/** So many open calls, each settled by two to eight contenders at once: different answers, a cancel, and the deadline. */
export async function raceToSettle(stage: Stage, races: number): Promise<Races> {
  const found: Races = { races: 0, contenders: 0, winners: 0, lost: 0, told: 0, wrong: [] }
  while (found.races < races) {
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
          .map(({ id }, n) => race(stage, found, sessionId, id, found.races + n))
      )
    await stage.rest()
  }
  return found
}

async function race(
  stage: Stage,
  found: Races,
  sessionId: string,
  toolCallId: string,
  n: number
): Promise<void> {
  const count = 2 + (n % 7)
  // In some of them the deadline passes while they are on their way.
  const due = n % 5 === 0
  const contenders = Array.from({ length: count }, (_, one) => {
    if (due && one === count - 1)
      return stage.sql`
        update calls set deadline = clock_timestamp() where tool_call_id = ${toolCallId} and state = 'open'`.then(
        () => undefined
      )
    if (one === 1 && n % 3 === 0) return cancelCall(stage.ctx, { sessionId, toolCallId })
    return answerCall(stage.ctx, { sessionId, toolCallId, answer: { output: { answer: `${one}` } } })
  })
  const outcomes = await Promise.allSettled(contenders)
  const [stored] = await stage.sql<{ state: string }[]>`
    select state from calls where tool_call_id = ${toolCallId}`
  const claims = outcomes.flatMap(one => (one.status === 'fulfilled' && one.value ? [one.value.state] : []))
  const lost = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const told = lost.filter(
    reason =>
      reason instanceof Refusal && reason.code === 'ALREADY_SETTLED' && reason.extra.winner !== undefined
  )
  const byDeadline = stored?.state === 'expired'
  const right = byDeadline ? claims.length === 0 : claims.length === 1 && claims[0] === stored?.state
  found.races += 1
  found.contenders += outcomes.length
  found.winners += byDeadline ? 1 : claims.length
  found.lost += lost.length
  found.told += told.length
  if (right && told.length === lost.length) return
  const others = lost.filter(reason => !told.includes(reason)).map(String)
  found.wrong.push(`${stored?.state}, told ${claims.join(' and ') || 'nobody'}; ${others.join('; ')}`)
}
