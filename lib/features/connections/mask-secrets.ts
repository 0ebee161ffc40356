import type { OutboundAnswer } from '#lib/kernel/ctx.ts'

/** Shorter ones are no secrets: they would stand in any text. */
const shortest = 8

/** An answer without these secrets in it, should the other side have said them back (docs/concepts/engine.md#secrets). */
export function maskSecrets(answer: OutboundAnswer, secrets: readonly string[]): OutboundAnswer {
  const long = secrets.filter(({ length }) => length >= shortest)
  const body = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength)
  if (!long.some(secret => body.includes(secret))) return answer
  const without = (text: string) => long.reduce((left, secret) => left.replaceAll(secret, mask), text)
  return { ...answer, body: withoutIn(body, long), text: () => without(answer.text()) }
}

/** Whatever the bytes are, each as a character of its own; so the secrets and what stands for them, too. */
const withoutIn = (body: Buffer, secrets: readonly string[]): Buffer =>
  Buffer.from(
    secrets.reduce(
      (left, secret) => left.replaceAll(bytesOf(secret), bytesOf(mask)),
      body.toString('latin1')
    ),
    'latin1'
  )

const mask = '••••'
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/**
 * The same for an answer that is heard while it comes: line by line, so that a secret is not passed on in two halves. What is
 * behind the last line's end is held back until that line has its own.
 */
export function maskLines(heard: (piece: Uint8Array) => void, secrets: readonly string[]) {
  const long = secrets.filter(({ length }) => length >= shortest)
  let held: Uint8Array[] = []
  return (piece: Uint8Array): void => {
    const end = piece.lastIndexOf(10) + 1
    if (end > 0) {
      heard(withoutIn(Buffer.concat([...held, piece.subarray(0, end)]), long))
      held = []
    }
    if (end < piece.length) held.push(piece.subarray(end))
  }
}
