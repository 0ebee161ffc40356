import type {
  MutedSource,
  OobPriority,
  OobSource,
  OobStatus,
  OutOfBand
} from '@waystation/protocol/out-of-band/out-of-band.ts'

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

/** Describes when the agent receives a pending message, by priority. */
export const dueWords: Record<OobPriority, string> = {
  critical: 'Before next tool call',
  high: 'Before next step',
  normal: 'At next step',
  low: 'When turn ends'
}

export const statusWords: Record<OobStatus, string> = {
  held: 'held',
  visible: 'pending',
  injected: 'delivered',
  acknowledged: 'acknowledged',
  cancelled: 'removed',
  expired: 'expired'
}

/** True if the message was removed or expired before the agent received it. */
export const isUnreceived = ({ status }: Pick<OutOfBand, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired'
