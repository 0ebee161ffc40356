import { z } from 'zod'
import { Answer, type CallState } from './call/call.ts'
import { type OobStatus, SendOob } from './out-of-band/out-of-band.ts'
import type { RefusalCode } from './refusal.ts'
import type { SessionEvent } from './session/event.ts'
import { CancelTurn, FollowEvents, InCall, SendMessage } from './session/session.ts'

/** A client's own name for a frame; the answer to it carries it as `re`. */
const named = { id: z.string().max(128).optional() }

/** Which session a socket is about, from which event on, and who asks, if no header says so. */
export const Hello = FollowEvents.extend({
  ...named,
  type: z.literal('hello'),
  token: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]*$/, 'use only printable ASCII characters without spaces')
    .optional()
})

/** A message to it. `text_input` and its `clientMessageId` are another name for the same. */
const said = SendMessage.partial({ sessionId: true }).extend({
  ...named,
  clientMessageId: SendMessage.shape.key
}).shape

/** What is read of a frame before it is known who sends it, and whether they may say such a thing. */
export const FrameName = z.object({
  ...named,
  type: z.enum(['hello', 'user_message', 'text_input', 'oob', 'answer', 'cancel', 'ping'])
})
export type FrameName = z.infer<typeof FrameName>

/** What a client says on `/ws` after its hello (000-9). */
export const ClientFrame = z.discriminatedUnion('type', [
  z.object({ ...said, type: z.literal('user_message') }),
  z.object({ ...said, type: z.literal('text_input') }),
  z.object({ ...SendOob.partial({ sessionId: true }).shape, ...named, type: z.literal('oob') }),
  z.object({ ...named, type: z.literal('answer'), toolCallId: InCall.shape.toolCallId, answer: Answer }),
  z.object({ ...named, ...CancelTurn.partial({ sessionId: true }).shape, type: z.literal('cancel') })
])
export type ClientFrame = z.infer<typeof ClientFrame>

/**
 * A frame from the server. `session_ready` is the response to `hello`; its `uptime` is how many seconds the server has run.
 * An `event` is one of the log, an `alive` shows a quiet connection to work, and the others are responses.
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
  | { type: 'error'; re?: string; code: RefusalCode; error: string }
