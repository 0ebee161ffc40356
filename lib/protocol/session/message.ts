import type { UIMessage } from 'ai'
import { z } from 'zod'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { CommittedRevision } from '#lib/protocol/agent/own-config.ts'
import { Duration } from '#lib/protocol/duration.ts'
import { ActiveItemName } from '#lib/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { HookRun } from '#lib/protocol/plugin/hook.ts'
import { Time } from '#lib/protocol/time.ts'
import type { Compaction } from './compaction.ts'
import { fileUrlPattern } from './kept-file.ts'
import { MessageDelivery } from './message-delivery.ts'

/**
 * What we add to the AI SDK's `UIMessage`. Times are ISO 8601, the database's clock.
 *
 * - `createdAt`: when the message was accepted (a person's) or its first step began (an agent's).
 * - `turnId`: the turn that wrote it, or that the message started.
 * - `revision`: the revision of its agent that the newest step in it ran on.
 * - `agentId`: the agent that its newest step is by, where that is not the session's own (003-11).
 * - `queued`: set while a person's message waits for its turn (`queue`), for the next step (`steer`) or for the
 *   running turn to end (`interrupt`); absent once the agent has it.
 * - `sentBy`: the display name of whoever sent it.
 * - `replyId`: what an external agent calls a reply that it sends in pieces.
 * - `duration`: for how many rounds it stays in the prompt (001-7).
 * - `active`: what was sent along to an external agent (000-21), without its content.
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
  active: ActiveItemName.optional(),
  duration: Duration.optional()
})
export type MessageMetadata = z.infer<typeof MessageMetadata>

/**
 * A row of the transcript that is not the agent's prose: kept inside the assistant message (as a `data-notice` part)
 * so that it survives a reload at its own place.
 */
export type Notice =
  | { kind: 'restarted'; partialText: string; seconds: number }
  | { kind: 'stopped'; by: 'person' | 'interrupt' }
  | { kind: 'failed'; code: string; message: string; retryable: boolean; retryAt?: string; turnId: string }
  | { kind: 'limit'; message: string }

/**
 * `oob`: an out-of-band message at the place where the agent was told it. `committed-revision`: the agent's configuration was
 * changed by its own proposal (002-16). `hook`: what a plugin changed, cancelled or failed at. `compaction`: old messages left the
 * prompt here (001-17). `handoff`: from here on another agent speaks. `delivery`: of a person's message to an external agent,
 * whether that took it.
 */
export type DataParts = {
  notice: Notice
  oob: OutOfBand
  'committed-revision': CommittedRevision
  hook: HookRun
  handoff: HandOff
  compaction: Compaction
  delivery: MessageDelivery
}

/** One message of a session as people see it: the SDK's shape, our metadata, our data parts. */
export type Message = UIMessage<MessageMetadata, DataParts>
/** Only as much of its shape as is ours to promise: the SDK's parts are told by their `type`. */
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

/** The tool part of a call, whatever its tool. */
export type ToolPart = Extract<MessagePart, { toolCallId: string }>

export const isToolPart = (part: MessagePart): part is ToolPart => 'toolCallId' in part

/** A person's text. 256 KiB is the limit of a whole message (api.md), checked on the bytes at the door. */
const TextPart = z.object({ type: z.literal('text'), text: z.string() })
/**
 * A file: inline (a `data:` URL), or one that was uploaded to this session and is kept beside its messages. Nothing is ever
 * fetched because a person's message named it.
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

export const UserPart = z.discriminatedUnion('type', [TextPart, FilePart])
/** Of a file that is kept, its size stands in it too, where the AI SDK leaves room for it. */
export type UserPart = z.infer<typeof UserPart> & { providerMetadata?: { waystation: { size: number } } }

/** The words of a message, without its files, tools and notices. */
export const textOf = (message: { parts: ReadonlyArray<{ type: string; text?: string }> }): string =>
  message.parts
    .filter(part => part.type === 'text')
    .map(part => part.text ?? '')
    .join('\n')

/** Whether the external agent took this message; undefined: it is not sent to one. */
export const deliveryOf = ({ parts }: Pick<Message, 'parts'>): MessageDelivery | undefined =>
  parts.find(part => part.type === 'data-delivery')?.data

/** The parts of a message with how its delivery stands, in place of what they said of it. */
export const withDelivery = (
  { id, parts }: Pick<Message, 'id' | 'parts'>,
  data: MessageDelivery
): Message['parts'] => [
  ...parts.filter(({ type }) => type !== 'data-delivery'),
  { type: 'data-delivery', id, data }
]
