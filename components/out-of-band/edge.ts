import type { OobEdge, OobReceiver, OobSender } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'

type Ends = Pick<OobEdge, 'from' | 'to'>

/** Returns the identity of a sender: its session, or its source and name. */
export const senderId = ({ sessionId, source, sourceId }: OobSender): string =>
  sessionId === undefined ? `${source} ${sourceId}` : `session ${sessionId}`

export const receiverId = ({ sessionId }: OobReceiver): string => `session ${sessionId}`

/** Returns the identity of a pair of sender and receiver. */
export const edgeId = ({ from, to }: Ends): string => `${senderId(from)} > ${receiverId(to)}`

/** Returns the title of the sender's session. For a sender without a session, returns its name and kind. */
export const senderWords = (from: OobSender): string =>
  from.sessionId === undefined ? fromWords(from) : sessionTitle(from.title ?? '', from.sessionId)

export const receiverWords = ({ title, sessionId }: OobReceiver): string => sessionTitle(title, sessionId)

/** Returns the query parameters that select the messages of a pair. */
export const queryOf = ({ from, to }: Ends) => ({
  to: to.sessionId,
  ...(from.sessionId === undefined
    ? { source: from.source, sourceId: from.sourceId }
    : { from: from.sessionId })
})
