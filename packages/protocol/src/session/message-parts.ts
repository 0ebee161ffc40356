import type { Message, MessagePart, ToolPart } from './message.ts'
import type { MessageDelivery } from './message-delivery.ts'

export const isToolPart = (part: MessagePart): part is ToolPart => 'toolCallId' in part

/** Returns the text of a message, without files, tools and notices. */
export const textOf = (message: { parts: ReadonlyArray<{ type: string; text?: string }> }): string =>
  message.parts
    .filter(part => part.type === 'text')
    .map(part => part.text ?? '')
    .join('\n')

/** Returns the delivery of a message, or undefined if it is not for an external agent. */
export const deliveryOf = ({ parts }: Pick<Message, 'parts'>): MessageDelivery | undefined =>
  parts.find(part => part.type === 'data-delivery')?.data

/** Returns a message's parts with its delivery replaced. */
export const withDelivery = (
  { id, parts }: Pick<Message, 'id' | 'parts'>,
  data: MessageDelivery
): Message['parts'] => [
  ...parts.filter(({ type }) => type !== 'data-delivery'),
  { type: 'data-delivery', id, data }
]
