import { z } from 'zod'

/**
 * What a person has open beside a conversation with another system, and sends along if they wish (000-21). `content` is any
 * JSON; a text is a string.
 */
export const ActiveItem = z.strictObject({
  type: z.string().min(1).max(64),
  id: z.string().min(1).max(200),
  name: z.string().max(200).optional(),
  content: z.unknown()
})
export type ActiveItem = z.infer<typeof ActiveItem>

/** The same without what is in it: what stands beside a message. */
export const ActiveItemName = ActiveItem.omit({ content: true })
export type ActiveItemName = z.infer<typeof ActiveItemName>

/** The most its content may have, in bytes of JSON. */
export const maxActiveItem = 256 * 1024

/** How often an external agent gets the content: with the first message after it changed, or with each. */
export const ActiveItemPolicy = z.enum(['onChange', 'everyMessage'])
export type ActiveItemPolicy = z.infer<typeof ActiveItemPolicy>
