import { z } from 'zod'
import { Answer, type CallState } from './call/call.ts'
import type { ErrorCode } from './error-body.ts'
import { type OobStatus, SendOob } from './out-of-band/out-of-band.ts'
import type { SessionEvent } from './session/event.ts'
import { CancelTurn, FollowEvents, InCall, SendMessage } from './session/session.ts'

/** An ID that the client chooses for a frame. The response has it as `re`. */
const frameId = { id: z.string().max(128).optional() }

/** Opens a session on the socket, from an event on. `token` authenticates the client if no header does. */
export const Hello = FollowEvents.extend({
  ...frameId,
  type: z.literal('hello'),
  token: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]*$/, 'use only printable ASCII characters without spaces')
    .optional()
})

/** A message to the session. `text_input` and `clientMessageId` are aliases. */
const userMessage = SendMessage.partial({ sessionId: true }).extend({
  ...frameId,
  clientMessageId: SendMessage.shape.key
}).shape

/** The part of a frame that is read before the sender is authenticated and authorized. */
export const FrameName = z.object({
  ...frameId,
  type: z.enum(['hello', 'user_message', 'text_input', 'oob', 'answer', 'cancel', 'ping'])
})
export type FrameName = z.infer<typeof FrameName>

/** A frame that a client can send on `/ws` after its hello (000-9). */
export const ClientFrame = z.discriminatedUnion('type', [
  z.object({ ...userMessage, type: z.literal('user_message') }),
  z.object({ ...userMessage, type: z.literal('text_input') }),
  z.object({ ...SendOob.partial({ sessionId: true }).shape, ...frameId, type: z.literal('oob') }),
  z.object({ ...frameId, type: z.literal('answer'), toolCallId: InCall.shape.toolCallId, answer: Answer }),
  z.object({ ...frameId, ...CancelTurn.partial({ sessionId: true }).shape, type: z.literal('cancel') })
])
export type ClientFrame = z.infer<typeof ClientFrame>

/**
 * A frame from the server. `session_ready` is the response to `hello`. Its `uptime` is how many seconds the server has
 * run. An `event` is an event of the log. An `alive` frame shows that a quiet connection works. The others are
 * responses.
 */
export type ServerFrame =
  | { type: 'session_ready'; re?: string; sessionId: string; uptime: number }
  | { type: 'event'; event: SessionEvent }
  | { type: 'alive' }
  | { type: 'message_accepted'; re?: string; itemId: string; messageId: string; status: string }
  | { type: 'oob_accepted'; re?: string; oobId: string; status: OobStatus; queuePosition: number }
  | { type: 'answer_accepted'; re?: string; toolCallId: string; state: CallState }
  | { type: 'cancel_accepted'; re?: string; turnId: string | null }
  | { type: 'pong'; re?: string }
  | { type: 'error'; re?: string; code: ErrorCode; error: string }
