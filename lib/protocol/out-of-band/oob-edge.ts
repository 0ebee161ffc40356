import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { SessionId } from '#lib/protocol/session/session.ts'
import { OobSource, OutOfBand } from './out-of-band.ts'

/** How far back one looks, in hours. */
const hours = decimal(
  z
    .int()
    .min(1)
    .max(24 * 90)
).default(24)

/** Who told: with a `sessionId` the agent of that session, by its tool; without, whoever `source` and `sourceId` say. */
export const OobSender = z.object({
  sessionId: z.string().optional(),
  title: z.string().optional(),
  source: OobSource,
  sourceId: z.string()
})
export type OobSender = z.infer<typeof OobSender>

/** Whose agent was told. */
export const OobReceiver = z.object({ sessionId: z.string(), title: z.string(), agentName: z.string() })
export type OobReceiver = z.infer<typeof OobReceiver>

/** One who told another something out of band: how often in that time, and what was last. `content`: its first 200 characters. */
export const OobEdge = z.object({
  from: OobSender,
  to: OobReceiver,
  count: z.int().min(1),
  last: OutOfBand.pick({
    id: true,
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

/** The newest edge first; `more`: there are others, told longer ago. */
export const OobEdges = z.object({ edges: z.array(OobEdge), more: z.boolean() })
export type OobEdges = z.infer<typeof OobEdges>

/** Of one edge: `to` a session, `from` another one; of a sender without a session `source` and `sourceId`. */
export const ListOobMessages = z.object({
  hours,
  to: SessionId.optional(),
  from: SessionId.optional(),
  source: OobSource.optional(),
  sourceId: z.string().max(128).optional(),
  cursor: z.string().max(600).optional()
})
export type ListOobMessages = z.infer<typeof ListOobMessages>

/** An out-of-band message with its receipts, and between whom it went. */
export const ToldMessage = OutOfBand.extend({ from: OobSender, to: OobReceiver })
export type ToldMessage = z.infer<typeof ToldMessage>

/** A page of them, newest first; `nextCursor` goes on from here, null when there are no more. */
export const ToldPage = z.object({ messages: z.array(ToldMessage), nextCursor: z.string().nullable() })
export type ToldPage = z.infer<typeof ToldPage>
