import { z } from 'zod'
import { ReadTiddler } from '#lib/protocol/wiki/wiki.ts'

/**
 * What a person has open beside a conversation with another system, and sends along if they wish (000-21). `content` is any
 * JSON; a text is a string.
 */
export const ActiveItem = z.strictObject({
  type: z.string().min(1).max(64),
  id: z.string().min(1).max(600),
  name: z.string().max(500).optional(),
  content: z.unknown()
})
export type ActiveItem = z.infer<typeof ActiveItem>

/** A page of a wiki of the workspace: what it says is read when the message is accepted, so it is never an old one. */
export const ActivePage = z.strictObject({ type: z.literal('wiki'), ...ReadTiddler.shape })
export type ActivePage = z.infer<typeof ActivePage>

/** What may stand beside a message: with its content, or where that is found. */
export const SentAlong = z.union([ActivePage, ActiveItem])
export type SentAlong = z.infer<typeof SentAlong>

/** An item without what is in it: what stands beside a message. */
export const ActiveItemName = ActiveItem.omit({ content: true })
export type ActiveItemName = z.infer<typeof ActiveItemName>

/** The most its content may have, in bytes of JSON. */
export const maxActiveItem = 256 * 1024

/** How often an external agent gets the content: with the first message after it changed, or with each. */
export const ActiveItemPolicy = z.enum(['onChange', 'everyMessage'])
export type ActiveItemPolicy = z.infer<typeof ActiveItemPolicy>
