import type { Call } from '@waystation/protocol/call/call.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { clock, length } from '#components/browser/format-time.ts'
import { systemOf } from './describe-call.ts'

/** Deliveries by the call that they announce, or the message that they carry. */
export type Deliveries = Readonly<Record<string, Delivery>>

/** In milliseconds. A delivery that was accepted more recently than this is not shown as unanswered. */
const patience = 60_000

/**
 * Why another system has not received its call: "Acme dispatcher didn't accept the call: 503 after 5 s." Undefined if no
 * problem is known.
 */
export function troubleOf(call: Call, delivery: Delivery | undefined): string | undefined {
  const short = shortTrouble(delivery)
  return short === undefined ? undefined : `${systemOf(call)} ${short}${afterWords(delivery)}.`
}

/** " at 14:07"; empty where the time is not known yet. */
const by = (time: string) => (time === '' ? '' : ` at${time}`)

/** " after 5 s"; nothing, if it was at once. */
function afterWords(delivery: Delivery | undefined): string {
  const ms = delivery?.attempts.at(-1)?.ms ?? 0
  return ms < 100 ? '' : ` after ${length(ms)}`
}

/** The same, beside the call's own name: "didn't accept the call: 503". */
export function shortTrouble(delivery: Delivery | undefined): string | undefined {
  const last = delivery?.attempts.at(-1)
  if (delivery === undefined || delivery.state === 'delivered' || last?.error === undefined) return undefined
  return `didn't accept the call: ${last.status ?? 'no response'}`
}

/** How it stands with what another system was sent. Without a delivery: only that it was opened. */
export function sentWords(call: Call, delivery: Delivery | undefined, now: number | undefined): string {
  const trouble = troubleOf(call, delivery)
  const at = (iso: string) => (now === undefined ? '' : ` ${clock(iso, now)}`)
  if (trouble !== undefined) {
    const next =
      delivery?.nextAt === undefined
        ? "The server won't retry, but the call stays open."
        : `The server retries the call${by(at(delivery.nextAt))}.`
    const last = delivery?.attempts.at(-1)
    const why = last?.status === undefined && last?.error !== undefined ? ` (${last.error})` : ''
    return `${trouble}${why} ${next}`
  }
  if (delivery === undefined) return `Opened${at(call.since)}, no reply yet.`
  const arrived = delivery.attempts.at(-1)?.at
  if (delivery.state !== 'delivered' || arrived === undefined || now === undefined)
    return `Sent to ${systemOf(call)}.`
  if (now - Date.parse(arrived) < patience) return `Sent to ${systemOf(call)}.`
  return `Delivered${at(arrived)}, no reply yet.`
}

/**
 * How it stands with a person's message to another system (000-19). `replied`: something came since.
 * `headline` is as much of it as a header has room for. Undefined once there is nothing to say.
 */
export function messageWords(
  system: string,
  delivery: MessageDelivery | undefined,
  { now, replied }: { now: number | undefined; replied: boolean }
): { words: string; headline: string; failed: boolean } | undefined {
  if (delivery === undefined) return undefined
  const { state, reason, at: last, nextAt } = delivery
  const at = (iso: string) => (now === undefined ? '' : ` ${clock(iso, now)}`)
  if (isRefused(delivery)) {
    const headline =
      reason === 'timeout'
        ? `${system} didn't respond within 5 seconds`
        : reason === undefined
          ? `${system} couldn't be reached`
          : `${system} didn't accept the message: ${reason}`
    const next =
      state === 'failed'
        ? 'Your message is saved.'
        : nextAt === undefined
          ? 'The server will retry.'
          : `The server will retry${by(at(nextAt))}.`
    return { words: `${headline}. ${next}`, headline, failed: true }
  }
  if (replied) return undefined
  const quiet = last !== undefined && now !== undefined && now - Date.parse(last) >= patience
  const headline = state === 'delivered' && quiet ? `Delivered${at(last)}, no reply yet` : `Sent to ${system}`
  return { words: headline, headline, failed: false }
}

/** Whether the last attempt of a message failed, also where the server will try again. */
export const isRefused = ({ state, at }: MessageDelivery): boolean =>
  state === 'failed' || (state === 'pending' && at !== undefined)
