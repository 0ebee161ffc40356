import type { WaystationError } from '@waystation/client'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { SessionEvent, Snapshot } from '@waystation/protocol/session/event.ts'
import { emptyTranscript, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import type { Deliveries } from '#components/session/wording/delivery-words.ts'
import { nothingPending, type Pending } from './outbox.ts'

export type Winner = NonNullable<WaystationError['winner']>

/**
 * A session as the page shows it: the content of the log, and the user's messages and answers that the log
 * does not contain yet.
 */
export type SessionState = {
  transcript: Transcript
  /** Loaded with the first snapshot. Absent if the store was created with a snapshot alone. */
  session?: Session
  /** False until the first snapshot arrives. */
  loaded: boolean
  /** `reconnecting` only after two seconds without a connection, so that short interruptions do not show. */
  connection: 'connecting' | 'live' | 'reconnecting'
  pending: Pending
  /** Calls that were settled before this user's answer arrived, by ID. */
  late: Readonly<Record<string, Winner>>
  /** The known deliveries of calls and messages. */
  deliveries: Deliveries
  earlier: 'more' | 'loading' | 'none'
  /** The newest events in the order of arrival, for the inspector. */
  recent: readonly SessionEvent[]
  /** The number of the first event of each message and call, by ID. A row links to this event in the log. */
  seqs: Readonly<Record<string, number>>
  /**
   * After a restart of the server: the outage in milliseconds, or 0 if unknown. Undefined after the next
   * event.
   */
  restarted?: number | undefined
  /** The error of the last action, until the next action ends. */
  problem?: string | undefined
  /** Why the session can no longer be read: it was deleted, it expired, or the user lost access. */
  gone?: WaystationError
}

/** A snapshot that the page already has, such as from the server's rendering. */
export type InitialSession = Snapshot & { session?: Session | undefined }

/** The number of messages in a snapshot or in a page of earlier ones. Fewer means that there are no more. */
const windowSize = 50
const recentSize = 1000

export const earlierThan = (messages: readonly unknown[]): 'more' | 'none' =>
  messages.length < windowSize ? 'none' : 'more'

export const firstState = (initial: InitialSession | undefined): SessionState => ({
  ...(initial?.session === undefined ? {} : { session: initial.session }),
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

/** Returns the plugin that is working on the prompt of the next step. */
export function preparingPlugin({ recent }: SessionState): string | undefined {
  const newest = recent.at(-1)
  return newest?.type === 'chunk' && newest.chunk.type === 'data-preparing'
    ? newest.chunk.data.plugin
    : undefined
}

const aboutOf = ({ id, toolCallId, messageId }: Delivery) => toolCallId ?? messageId ?? id

/**
 * Adds deliveries to the known ones. Events and responses can arrive out of order, so the version with more
 * attempts is the newer one.
 */
export function withDeliveries(known: Deliveries, told: readonly Delivery[]): Deliveries {
  const newer = told.filter(one => {
    const before = known[aboutOf(one)]
    return before === undefined || before.attempts.length <= one.attempts.length
  })
  if (newer.length === 0) return known
  return { ...known, ...Object.fromEntries(newer.map(one => [aboutOf(one), one])) }
}

/** Returns `recent` and `seqs` with these events added. */
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
