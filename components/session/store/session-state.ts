import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { SessionEvent, Snapshot } from '@waystation/protocol/session/event.ts'
import { emptyTranscript, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import type { Deliveries } from '#components/session/wording/delivery-words.ts'
import { nothingPending, type Pending } from './outbox.ts'

export type Winner = NonNullable<ErrorBody['winner']>

/** A session as its page knows it: what the log says, and what this person sent that it does not say yet. */
export type SessionState = {
  transcript: Transcript
  /** What the session is, where its page was not given it with the first snapshot. */
  session?: Session
  /** False until the first snapshot is there. */
  loaded: boolean
  /** `reconnecting` only after two seconds without a line: a blink is not news. */
  connection: 'connecting' | 'live' | 'reconnecting'
  pending: Pending
  /** Calls that somebody else settled before this person's answer arrived. */
  late: Readonly<Record<string, Winner>>
  /** What was sent out to other systems, as far as it is known. */
  deliveries: Deliveries
  earlier: 'more' | 'loading' | 'none'
  /** The newest events as they came, for the inspector. */
  recent: readonly SessionEvent[]
  /** The first event seen of a message or a call, by its ID: where its row points into the log. */
  seqs: Readonly<Record<string, number>>
  /** How long the server was away when it was restarted a moment ago, in ms (0: not known); until something happens. */
  restarted?: number | undefined
  /** What the server said to the last thing that did not work, until the next one. */
  problem?: string | undefined
  /** The session can no longer be read: deleted, expired, or not this person's any more. */
  gone?: ErrorBody
}

/** How many messages a snapshot or a page of earlier ones holds; fewer means that there are no more. */
const windowSize = 50
const recentSize = 1000

export const earlierThan = (messages: readonly unknown[]): 'more' | 'none' =>
  messages.length < windowSize ? 'none' : 'more'

export const firstState = (initial: Snapshot | undefined): SessionState => ({
  transcript: initial === undefined ? emptyTranscript : transcriptOf(initial),
  loaded: initial !== undefined,
  connection: 'connecting',
  pending: nothingPending,
  late: {},
  deliveries: {},
  earlier: earlierThan(initial?.messages ?? []),
  recent: [],
  seqs: {}
})

const aboutOf = ({ id, toolCallId, messageId }: Delivery) => toolCallId ?? messageId ?? id

/** Deliveries with these among them. News and what was asked for may cross: more attempts are newer. */
export function withDeliveries(known: Deliveries, told: readonly Delivery[]): Deliveries {
  const newer = told.filter(one => {
    const before = known[aboutOf(one)]
    return before === undefined || before.attempts.length <= one.attempts.length
  })
  if (newer.length === 0) return known
  return { ...known, ...Object.fromEntries(newer.map(one => [aboutOf(one), one])) }
}

/** What is remembered of events as they came, beside what they fold to. */
export function remember(
  { recent, seqs }: Pick<SessionState, 'recent' | 'seqs'>,
  events: readonly SessionEvent[]
): Pick<SessionState, 'recent' | 'seqs'> {
  const fresh = events
    .flatMap(event => {
      if (event.type === 'chunk') return [[event.messageId, event.seq] as const]
      if (event.type === 'message') return [[event.message.id, event.seq] as const]
      return event.type === 'call' ? [[event.call.toolCallId, event.seq] as const] : []
    })
    .filter(([id]) => seqs[id] === undefined)
    .reverse()
  return {
    recent: [...recent, ...events].slice(-recentSize),
    seqs: fresh.length === 0 ? seqs : { ...seqs, ...Object.fromEntries(fresh) }
  }
}
