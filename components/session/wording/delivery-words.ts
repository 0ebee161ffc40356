import type { Call } from '@waystation/protocol/call/call.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { clock, length } from '#components/browser/format-time.ts'
import { systemOf } from './describe-call.ts'

/** Deliveries by the ID of the call that they announce, or of the message that they contain. */
export type Deliveries = Readonly<Record<string, Delivery>>

/** In milliseconds. A delivery that was accepted more recently than this is not shown as unanswered. */
const patience = 60_000

/**
 * Describes why an external service has not received its call: "Acme dispatcher didn't accept the call: 503
 * after 5 s." Returns undefined if no problem is known.
 */
export function troubleOf(call: Call, delivery: Delivery | undefined): string | undefined {
  const short = shortTrouble(delivery)
  if (short === undefined) return undefined
  const ms = delivery?.attempts.at(-1)?.ms ?? 0
  return `${systemOf(call)} ${short}${ms < 100 ? '' : ` after ${length(ms)}`}.`
}

/** Like `troubleOf`, without the name of the service: "didn't accept the call: 503". */
export function shortTrouble(delivery: Delivery | undefined): string | undefined {
  const last = delivery?.attempts.at(-1)
  if (delivery === undefined || delivery.state === 'delivered' || last?.error === undefined) return undefined
  return `didn't accept the call: ${last.status ?? 'no response'}`
}

/** Returns " at 14:07", or an empty string while the time is unknown. */
const by = (iso: string, now: number | undefined) => (now === undefined ? '' : ` at ${clock(iso, now)}`)

/** Returns "Delivered 14:02, no reply yet" for a delivery without a recent attempt, otherwise "Sent to Acme". */
function arrivalWords(
  system: string,
  state: Delivery['state'] | MessageDelivery['state'],
  at: string | undefined,
  now: number | undefined
): string {
  const isQuiet = at !== undefined && now !== undefined && now - Date.parse(at) >= patience
  return state === 'delivered' && isQuiet ? `Delivered ${clock(at, now)}, no reply yet` : `Sent to ${system}`
}

/**
 * Describes the delivery of a call to an external service. Without a delivery, it only describes when the
 * call was opened.
 */
export function sentWords(call: Call, delivery: Delivery | undefined, now: number | undefined): string {
  const trouble = troubleOf(call, delivery)
  if (trouble !== undefined) {
    const next =
      delivery?.nextAt === undefined
        ? "The server won't retry, but the call stays open."
        : `The server retries the call${by(delivery.nextAt, now)}.`
    const last = delivery?.attempts.at(-1)
    const why = last?.status === undefined && last?.error !== undefined ? ` (${last.error})` : ''
    return `${trouble}${why} ${next}`
  }
  if (delivery === undefined)
    return `Opened${now === undefined ? '' : ` ${clock(call.since, now)}`}, no reply yet.`
  return `${arrivalWords(systemOf(call), delivery.state, delivery.attempts.at(-1)?.at, now)}.`
}

/**
 * Describes the delivery of a user's message to an external agent (000-19). `system` is the agent's name, if it is
 * known. `replied`: the agent has replied since. `headline` is the part that fits into a header. Returns undefined if
 * there is nothing to show.
 */
export function messageWords(
  system: string | undefined,
  delivery: MessageDelivery | undefined,
  { now, replied }: { now: number | undefined; replied: boolean }
): { words: string; headline: string; failed: boolean } | undefined {
  if (delivery === undefined) return undefined
  const { state, reason, at: last, nextAt, stopped } = delivery
  const subject = system ?? 'The external agent'
  if (isRefused(delivery)) {
    const headline =
      reason === 'timeout'
        ? `${subject} didn't respond within 5 seconds`
        : reason === undefined
          ? `${subject} couldn't be reached`
          : `${subject} didn't accept the message: ${reason}`
    const next =
      state === 'failed'
        ? 'Your message is saved.'
        : nextAt === undefined
          ? 'The server will retry.'
          : `The server will retry${by(nextAt, now)}.`
    return { words: `${headline}. ${next}`, headline, failed: true }
  }
  if (replied) return undefined
  const object = system ?? 'the external agent'
  const headline = stopped ? `Asked ${object} to stop` : arrivalWords(object, state, last, now)
  return { words: headline, headline, failed: false }
}

/** True if the last attempt to deliver a message failed, even if the server will retry. */
export const isRefused = ({ state, at }: MessageDelivery): boolean =>
  state === 'failed' || (state === 'pending' && at !== undefined)
