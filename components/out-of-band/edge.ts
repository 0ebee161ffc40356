import type { OobEdge, OobReceiver, OobSender } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'

type Ends = Pick<OobEdge, 'from' | 'to'>

/** What a sender is told apart by: its session, or its name. */
export const senderId = ({ sessionId, source, sourceId }: OobSender): string =>
  sessionId === undefined ? `${source} ${sourceId}` : `session ${sessionId}`

export const receiverId = ({ sessionId }: OobReceiver): string => `session ${sessionId}`

/** What an edge is told apart by. */
export const edgeId = ({ from, to }: Ends): string => `${senderId(from)} > ${receiverId(to)}`

/** A sender by the title of its session, else by its name and what it is. */
export const senderWords = (from: OobSender): string =>
  from.sessionId === undefined ? fromWords(from) : from.title || from.sessionId

export const receiverWords = ({ title, sessionId }: OobReceiver): string => title || sessionId

/** The query by which the messages of an edge are asked for. */
export const queryOf = ({ from, to }: Ends): Record<string, string> => ({
  to: to.sessionId,
  ...(from.sessionId === undefined
    ? { source: from.source, sourceId: from.sourceId }
    : { from: from.sessionId })
})
