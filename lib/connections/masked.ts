import type { OutboundAnswer } from '#lib/kernel/ctx.ts'

/** Shorter ones are no secrets: they would stand in any text. */
const shortest = 8

/** An answer without these secrets in it, should the other side have said them back (design 2.10). */
export function masked(answer: OutboundAnswer, secrets: readonly string[]): OutboundAnswer {
  const long = secrets.filter(({ length }) => length >= shortest)
  const body = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength)
  if (!long.some(secret => body.includes(secret))) return answer
  const without = (text: string) => long.reduce((left, secret) => left.replaceAll(secret, '••••'), text)
  return {
    ...answer,
    body: Buffer.from(without(body.toString('latin1')), 'latin1'),
    text: () => without(answer.text())
  }
}
