import type {
  MutedSource,
  OobMetadata,
  OobPolicy,
  OobPriority,
  OobSource,
  OobStatus,
  OutOfBand
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionStatus } from '@waystation/protocol/session/event.ts'
import { byWords } from './call-words.ts'

const sources: Record<OobSource, string> = {
  user: 'a person',
  agent: 'another agent',
  system: 'the system',
  external: 'an external system'
}

/** Names the sender of an out-of-band message. If it is not a person, its type follows. */
export const fromWords = ({ source, sourceId }: Pick<OutOfBand, 'source' | 'sourceId'>) =>
  source === 'user' ? sourceId : `${sourceId}, ${sources[source]}`

const everybody: Record<OobSource, string> = {
  user: 'all people',
  agent: 'all other agents',
  system: 'the system',
  external: 'all external systems'
}

/** Names the muted sender, or all senders of a type. */
export const mutedWords = ({ source, sourceId }: MutedSource) =>
  sourceId === undefined ? everybody[source] : fromWords({ source, sourceId })

/** Returns a short summary of an out-of-band policy, or undefined for the default policy. */
export const policyHint = ({ mode, minPriority, muted }: OobPolicy): string | undefined => {
  if (mode !== 'on') return mode === 'off' ? 'off' : 'asks first'
  if (muted.length > 0) return `${muted.length} muted`
  return minPriority === 'low' ? undefined : `${minPriority} and up`
}

/** Returns the first 40 characters of a text, which are enough to identify a message in a label. */
export const start = (text: string) => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)

/** Describes when a working agent receives a pending message, by priority. */
export const dueWords: Record<OobPriority, string> = {
  critical: 'Before the next tool call',
  high: 'Before the next step',
  normal: 'Before the next step',
  low: 'When the turn ends'
}

/**
 * Says when the agent receives a pending message, in a session with this status. An idle session starts a turn
 * only for a `critical` message, and a waiting one continues from `high` on. An external agent waits for nothing.
 */
export function dueIn(
  { priority, metadata }: Pick<OutOfBand, 'priority' | 'metadata'>,
  status: SessionStatus,
  external = false
) {
  if (external) return 'At once'
  if (metadata?.action === 'abort') return 'With the next message'
  if (status === 'running') return dueWords[priority]
  if (priority === 'critical' || (priority === 'high' && status === 'parked')) return 'At once'
  return status === 'parked' ? 'When the turn continues' : 'With the next message'
}

export const statusWords: Record<OobStatus, string> = {
  held: 'held',
  visible: 'pending',
  injected: 'delivered',
  acknowledged: 'acknowledged',
  cancelled: 'removed',
  expired: 'expired'
}

/** Says what became of a held message, and who decided it. */
export function heldOutcome({ status, approvedBy, cancelledBy }: OutOfBand): string {
  if (status === 'expired') return 'Expired without an approval.'
  const by = status === 'cancelled' ? cancelledBy : approvedBy
  return `${status === 'cancelled' ? 'Removed' : 'Approved'}${by === undefined ? '' : ` by ${byWords(by)}`}.`
}

/** The task of the agent with a message, for the choice in the message field. */
export const actionWords: Record<NonNullable<OobMetadata['action']>, string> = {
  inform: 'inform',
  redirect: 'redirect (change course)',
  enhance: 'enhance (add to the task)',
  abort: 'abort (stop the turn)'
}

type Sent = Pick<OutOfBand, 'id' | 'source' | 'sourceId' | 'queuedAt' | 'metadata'>

/** True if the message replaces the earlier one: a redirect about it, from the same sender (004-17). */
export const replaces = (told: Sent, earlier: Sent | undefined): boolean =>
  earlier !== undefined &&
  told.metadata?.action === 'redirect' &&
  told.metadata.relatedTo === earlier.id &&
  told.source === earlier.source &&
  told.sourceId === earlier.sourceId &&
  told.queuedAt >= earlier.queuedAt

/** Returns the newest accepted message that replaces this one. */
export const replacementOf = (told: Sent, all: Readonly<Record<string, OutOfBand>>): OutOfBand | undefined =>
  Object.values(all)
    .filter(one => replaces(one, told) && one.status !== 'held' && !isUnreceived(one))
    .sort((a, b) => a.queuedAt.localeCompare(b.queuedAt))
    .at(-1)

/** True if a pending message of a person is shown in the transcript, where it will be received. */
export const isPendingInPlace = ({ source, status }: Pick<OutOfBand, 'source' | 'status'>): boolean =>
  source === 'user' && (status === 'visible' || status === 'held')

/** True if the message was removed or expired before the agent received it. */
export const isUnreceived = ({ status }: Pick<OutOfBand, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired'
