import type { Message } from '@waystation/client'

/** Separates the text parts of a message. */
export const partBreak = '\n\n'

/** Returns the text of a message, without tools, files and notices. */
export const messageText = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.flatMap(part => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join(partBreak)

/** Why an external agent did not accept a message, or undefined. */
export function undelivered({ id, parts }: Pick<Message, 'id' | 'parts'>): string | undefined {
  const delivery = parts.find(part => part.type === 'data-delivery')?.data
  if (delivery?.state !== 'failed') return undefined
  const { reason } = delivery
  const why = reason === undefined ? '' : reason === 'timeout' ? ' in time' : ` (HTTP ${reason})`
  return `The external agent did not accept the message${why}. Send it again with "waystation resend" and the ID ${id}.`
}
