import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { CommittedRevision } from '@waystation/protocol/agent/own-config.ts'
import { Duration } from '@waystation/protocol/duration.ts'
import { ActiveItemName } from '@waystation/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import { Time } from '@waystation/protocol/time.ts'
import { wikitextType } from '@waystation/protocol/wiki/wikitext-type.ts'
import type { UIMessage } from 'ai'
import { z } from 'zod'
import type { Compaction } from './compaction.ts'
import { MessageDelivery } from './message-delivery.ts'
import { fileUrlPattern } from './stored-file.ts'

/**
 * Metadata that we add to the AI SDK's `UIMessage`. Times are ISO 8601, from the database's clock.
 * - `createdAt`: when a user's message was accepted, or the first step of an agent's message started.
 * - `turnId`: the turn that wrote the message or was started by it.
 * - `revision`: the agent's revision in the newest step.
 * - `agentId`: the agent of the newest step, if it is not the session's own (003-11).
 * - `queued`: set while a user's message waits for its turn (`queue`), the next step (`steer`) or the end of the
 *   running turn (`interrupt`).
 * - `sentBy`: the sender's display name.
 * - `replyId`: an external agent's ID for a reply that it sends in parts.
 * - `inReplyTo`: the ID of the user's message that an external agent's reply answers.
 * - `contentType`: set if an external agent's reply is wikitext instead of Markdown.
 * - `duration`: how many steps it stays in the prompt (001-7).
 * - `active`: the active item for an external agent (000-21), without its content.
 */
export const MessageMetadata = z.object({
  createdAt: Time,
  turnId: z.string().optional(),
  revision: z.int().optional(),
  agentId: z.string().optional(),
  queued: z.enum(['queue', 'steer', 'interrupt']).optional(),
  itemId: z.string().optional(),
  sentBy: z.string().optional(),
  replyId: z.string().optional(),
  inReplyTo: z.string().optional(),
  contentType: z.literal(wikitextType).optional(),
  active: ActiveItemName.optional(),
  duration: Duration.optional()
})
export type MessageMetadata = z.infer<typeof MessageMetadata>

/**
 * An entry of the transcript that the agent did not write. It is a `data-notice` part of the assistant message, so it
 * keeps its position after a reload.
 */
export type Notice =
  | { kind: 'restarted'; partialText: string; seconds: number }
  | { kind: 'stopped'; by: 'person' | 'interrupt' }
  | { kind: 'failed'; code: string; message: string; retryable: boolean; retryAt?: string; turnId: string }
  | { kind: 'limit'; message: string }

/**
 * Our data parts:
 * - `oob`: an out-of-band message, at the point where the agent received it
 * - `committed-revision`: the agent's own proposal changed its configuration (002-16)
 * - `hook`: a plugin changed or cancelled something, or failed
 * - `preparing`: the plugin that works on the prompt of the next step; absent once all have. Never stored in a message
 * - `compaction`: old messages left the prompt (001-17)
 * - `handoff`: another agent runs the session from here on
 * - `delivery`: the delivery of a user's message to an external agent
 */
export type DataParts = {
  notice: Notice
  oob: OutOfBand
  'committed-revision': CommittedRevision
  hook: HookRun
  preparing: { plugin?: string }
  handoff: HandOff
  compaction: Compaction
  delivery: MessageDelivery
}

/** A message as people see it: the AI SDK's shape with our metadata and data parts. */
export type Message = UIMessage<MessageMetadata, DataParts>
/** Validates only our own part of the shape. The SDK's parts are identified by their `type`. */
export const Message = z.looseObject({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  metadata: MessageMetadata.optional(),
  parts: z.array(
    z.union([
      z.object({ type: z.literal('data-delivery'), id: z.string(), data: MessageDelivery }),
      z.looseObject({ type: z.string() })
    ])
  )
}) as z.ZodType<unknown> as z.ZodType<Message>
export type MessagePart = Message['parts'][number]

/** The part of a tool call. */
export type ToolPart = Extract<MessagePart, { toolCallId: string }>

/** Text of a user. A message has at most 256 KiB (api.md), which is checked when its bytes arrive. */
const TextPart = z.object({ type: z.literal('text'), text: z.string() })
/**
 * A file: a `data:` URL, or a file that was uploaded to this session. The server never fetches a URL that a user's
 * message names.
 */
const FilePart = z.object({
  type: z.literal('file'),
  mediaType: z.string().max(127),
  filename: z.string().max(255).optional(),
  url: z
    .string()
    .refine(
      url => url.startsWith('data:') || fileUrlPattern.test(url),
      'must be a data: URL, or the URL of a file that was uploaded to this session'
    )
})

/** A part of a message that a user sends. */
export const UserPart = z.discriminatedUnion('type', [TextPart, FilePart])
/** For a stored file, `providerMetadata` has its size. The AI SDK preserves this field. */
export type UserPart = z.infer<typeof UserPart> & { providerMetadata?: { waystation: { size: number } } }
