import type { LoggedEvent, SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'

/** Changes of a locked session that its transaction writes in one statement, at its end or at `flush`. */
export type Unsaved = {
  events: EventRow[]
  row: RowChanges
}

/** Changes of the row in `sessions`. `isActive` sets the time of its last activity. `tokens` are added to its window. */
export type RowChanges = {
  status?: SessionStatus
  title?: string
  error?: TurnError | null
  retryAt?: string | null
  snippet?: string
  isActive?: true
  tokens?: number
}

type EventRow = ReturnType<typeof eventRow>

/** Returns an event's columns. `message_id` and `turn_id` are also columns because queries filter by them. */
export function eventRow(event: LoggedEvent, n: number) {
  const { type, ...payload } = event
  const messageId =
    'messageId' in event ? event.messageId : event.type === 'message' ? event.message.id : null
  return { n, type, message_id: messageId, turn_id: 'turnId' in event ? event.turnId : null, payload }
}

/** Returns the chunks of a message that are not in the database yet, with their sequence numbers. */
export const unsavedChunks = ({ events }: Unsaved, messageId: string) =>
  events.flatMap(({ n: seq, message_id, payload }) =>
    message_id === messageId && 'chunk' in payload ? [{ seq, chunk: payload.chunk }] : []
  )
