import { ReadTiddler } from '@waystation/protocol/wiki/wiki.ts'
import { z } from 'zod'

/**
 * An item that a user has open next to a conversation with an external agent, and can attach to a message (000-21).
 * `content` is any JSON value.
 */
export const ActiveItem = z.strictObject({
  type: z.string().min(1).max(64),
  id: z.string().min(1).max(600),
  name: z.string().max(500).optional(),
  content: z.unknown()
})
export type ActiveItem = z.infer<typeof ActiveItem>

/** A wiki page of the workspace. Its content is read when the message is accepted, so it is always current. */
export const ActivePage = z.strictObject({ type: z.literal('wiki'), ...ReadTiddler.shape })
export type ActivePage = z.infer<typeof ActivePage>

/** An active item of a message: with its content, or as a reference to a wiki page. */
export const AttachedItem = z.union([ActivePage, ActiveItem])
export type AttachedItem = z.infer<typeof AttachedItem>

/** An item without its content, as stored with a message. */
export const ActiveItemName = ActiveItem.omit({ content: true })
export type ActiveItemName = z.infer<typeof ActiveItemName>

/** When an external agent receives the content: with the first message after it changed, or with every message. */
export const ActiveItemPolicy = z.enum(['onChange', 'everyMessage'])
export type ActiveItemPolicy = z.infer<typeof ActiveItemPolicy>
