import { decimal } from '@waystation/protocol/decimal.ts'
import { SessionId } from '@waystation/protocol/session/session-id.ts'
import { z } from 'zod'
import { OobSource, OutOfBand } from './out-of-band.ts'

/** How many hours to look back. */
const hours = decimal(
  z
    .int()
    .min(1)
    .max(24 * 90)
).default(24)

/**
 * The sender of an out-of-band message. With `sessionId`, the agent of that session sent it with its tool. Otherwise
 * `source` and `sourceId` identify the sender.
 */
export const OobSender = z.object({
  sessionId: z.string().optional(),
  title: z.string().optional(),
  source: OobSource,
  sourceId: z.string()
})
export type OobSender = z.infer<typeof OobSender>

/** The session and agent that received the messages. */
export const OobReceiver = z.object({ sessionId: z.string(), title: z.string(), agentName: z.string() })
export type OobReceiver = z.infer<typeof OobReceiver>

/**
 * A pair of sender and receiver: how many messages in the period, and the last one. `content` is cut to 200 characters.
 */
export const OobEdge = z.object({
  from: OobSender,
  to: OobReceiver,
  count: z.int().min(1),
  last: OutOfBand.pick({
    id: true,
    sessionId: true,
    timestamp: true,
    priority: true,
    status: true,
    content: true,
    queuedAt: true,
    effect: true
  })
})
export type OobEdge = z.infer<typeof OobEdge>

export const ListOobEdges = z.object({ hours })
export type ListOobEdges = z.infer<typeof ListOobEdges>

/** Newest first. `more` is true if there are older pairs that are not listed. */
export const OobEdges = z.object({ edges: z.array(OobEdge), more: z.boolean() })
export type OobEdges = z.infer<typeof OobEdges>

/** Selects the messages of one pair: `to` a session, `from` another one, or from `source` and `sourceId`. */
export const ListOobMessages = z.object({
  hours,
  to: SessionId.optional(),
  from: SessionId.optional(),
  source: OobSource.optional(),
  sourceId: z.string().max(128).optional(),
  cursor: z.string().max(600).optional()
})
export type ListOobMessages = z.infer<typeof ListOobMessages>

/** An out-of-band message with its receipts, sender and receiver. */
export const ToldMessage = OutOfBand.extend({ from: OobSender, to: OobReceiver })
export type ToldMessage = z.infer<typeof ToldMessage>

/** Newest first. `nextCursor` is null on the last page. */
export const ToldPage = z.object({ messages: z.array(ToldMessage), nextCursor: z.string().nullable() })
export type ToldPage = z.infer<typeof ToldPage>
