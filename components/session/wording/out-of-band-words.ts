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

/** Who sent it, by their name and what they are. */
export const fromWords = ({ source, sourceId }: Pick<OutOfBand, 'source' | 'sourceId'>) =>
  source === 'user' ? sourceId : `${sourceId}, ${sources[source]}`

const everybody: Record<OobSource, string> = {
  user: 'all people',
  agent: 'all other agents',
  system: 'the system',
  external: 'all external systems'
}

/** Who is muted: one sender, or everybody of that kind. */
export const mutedWords = ({ source, sourceId }: MutedSource) =>
  sourceId === undefined ? everybody[source] : fromWords({ source, sourceId })

/** When a message that waits is told to the agent, in a few words. */
export const dueWords: Record<OobPriority, string> = {
  critical: 'Before next tool call',
  high: 'Before next step',
  normal: 'At next step',
  low: 'When turn ends'
}

/** How it stands with a message, in a word or two. */
export const statusWords: Record<OobStatus, string> = {
  held: 'held',
  visible: 'pending',
  injected: 'delivered',
  acknowledged: 'acknowledged',
  cancelled: 'removed',
  expired: 'expired'
}

/** Whether it was removed, or expired, before the agent received it. */
export const isUnreceived = ({ status }: Pick<OutOfBand, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired'
