import { createHash } from 'node:crypto'
import { AgentId } from '@waystation/protocol/agent/agent.ts'
import type { Answer } from '@waystation/protocol/call/call.ts'
import { UserPart } from '@waystation/protocol/session/message.ts'
import { ClientTool } from '@waystation/protocol/session/session.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { z } from 'zod'
import { parseInput } from '#lib/http/request/parse-input.ts'

/** A message as a client has it. The server reads what is new in it and never stores it. */
export const PostedMessage = z.object({
  id: z.string().optional(),
  role: z.string(),
  parts: z.array(z.looseObject({ type: z.string() })).default([])
})
export type PostedMessage = z.infer<typeof PostedMessage>
export type PostedPart = PostedMessage['parts'][number]

/**
 * The body that `DefaultChatTransport` of the AI SDK posts, with the fields that its `body` option can add. Other
 * fields are ignored.
 */
export const ChatPost = z.object({
  id: z.string().trim(),
  messages: z.array(PostedMessage),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: z.string().nullish(),
  agentId: AgentId.optional(),
  clientTools: z.array(ClientTool).max(64).optional()
})
export type ChatPost = z.infer<typeof ChatPost>

export const ResumeChat = InSession

/** Returns each call that the client considers settled, with the answer that its part represents. */
export function readSettledCalls(
  messages: readonly PostedMessage[]
): { toolCallId: string; answer: Answer }[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) => parts)
    .flatMap(part => {
      const answer = typeof part.toolCallId === 'string' ? answerIn(part) : undefined
      return answer === undefined ? [] : [{ toolCallId: part.toolCallId as string, answer }]
    })
}

function answerIn(part: PostedPart): Answer | undefined {
  switch (part.state) {
    case 'output-available':
      return part.preliminary === true ? undefined : { output: part.output ?? null }
    case 'output-error':
      return { error: String(part.errorText || 'The tool failed.').slice(0, 20_000) }
    case 'approval-responded':
    case 'output-denied': {
      const { approved, reason } = (part.approval ?? {}) as Record<string, unknown>
      if (typeof approved !== 'boolean') return undefined
      return { approved, ...(typeof reason === 'string' ? { reason: reason.slice(0, 4000) } : {}) }
    }
  }
}

/**
 * Returns the user's message at the end, if there is one. Its key is a hash of ID and content. A message that is posted
 * again has the same key, and an edited one has a new key.
 */
export function readNewMessage({
  messages,
  trigger
}: ChatPost): { parts: UserPart[]; key?: string } | undefined {
  const last = messages.at(-1)
  if (trigger !== 'submit-message' || last?.role !== 'user') return undefined
  const posted = last.parts.filter(({ type }) => type === 'text' || type === 'file')
  if (posted.length === 0) return { parts: [{ type: 'text', text: '' }] }
  const parts = parseInput(z.array(UserPart).max(50), posted)
  return { parts, ...(last.id === undefined ? {} : { key: keyOf(last.id, parts) }) }
}

const keyOf = (id: string, parts: UserPart[]) =>
  `chat:${createHash('sha256')
    .update(JSON.stringify([id, parts]))
    .digest('hex')}`

/**
 * Returns the assistant message that the SDK continues with the streamed chunks: the one that `messageId` names, or the
 * last message. Undefined means that the SDK starts a new message.
 */
export function findContinuedMessage({ messages, trigger, messageId }: ChatPost): PostedMessage | undefined {
  if (trigger !== 'submit-message') return undefined
  const target = messageId == null ? undefined : messages.findLast(({ id }) => id === messageId)
  const message = target ?? messages.at(-1)
  return message?.role === 'assistant' ? message : undefined
}
