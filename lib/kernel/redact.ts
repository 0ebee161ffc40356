import type { Ctx } from './ctx.ts'
import { log } from './log.ts'
import { Refusal } from './refusal.ts'

/**
 * Where a text comes from: a person's message, what they send along to an external agent, or a title; an answer to a call;
 * an out-of-band message; another system's reply; what a model wrote; what a tool of ours brought back.
 */
export type RedactKind =
  | 'message'
  | 'active-item'
  | 'title'
  | 'answer'
  | 'out-of-band'
  | 'reply'
  | 'model'
  | 'tool-result'

/**
 * The operator's own: a text without what must not be stored. It is pure, and leaves what it has made as it is: a text may
 * come by twice. `holdBack`: how much of what a model writes is waited for, so that it is seen whole; what it sees of it is
 * always whole words, lines or blocks.
 */
export type Redaction = {
  redact: (text: string, about: { kind: RedactKind; workspaceId: string }) => string
  holdBack: 'word' | 'line' | 'block'
}

/**
 * A value as it may be stored: every text in it has passed the operator's redaction, where there is one; the names of fields
 * have not. What cannot be redacted is refused (`503 UNAVAILABLE`) and so is not stored.
 */
export function redacted<T>(ctx: Ctx, kind: RedactKind, value: T): T {
  const { redaction } = ctx.ports
  if (redaction === undefined) return value
  return eachText(value, text => redactText(redaction, text, { kind, workspaceId: ctx.workspaceId })) as T
}

/** The same where the thing is done and cannot be refused any more: what cannot be redacted is left out for `instead`. */
export function redactedOr<T>(ctx: Ctx, kind: RedactKind, value: T, instead: T): T {
  try {
    return redacted(ctx, kind, value)
  } catch (error) {
    if (error instanceof Refusal) return instead
    throw error
  }
}

/** One text; see `redacted`. */
export function redactText(
  { redact }: Redaction,
  text: string,
  about: { kind: RedactKind; workspaceId: string }
): string {
  try {
    const result: unknown = redact(text, about)
    if (typeof result === 'string') return result
    throw new TypeError(`redact() returned ${typeof result}, not a string`)
  } catch (error) {
    // Its message may quote what it was given.
    const { name, stack = '' } = error instanceof Error ? error : new TypeError()
    const where = stack.split('\n').find(line => line.trim().startsWith('at '))
    log('error', 'the redaction failed, so the text is not stored', {
      ...about,
      name,
      where: where?.trim()
    })
    throw new Refusal(
      'UNAVAILABLE',
      'The text could not be redacted, so nothing was stored. The operator of this server can find the reason in the log.'
    )
  }
}

/** A copy in which every string is replaced, at any depth; the names of fields stay. */
export function eachText(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === 'string') return replaced(value)
  if (Array.isArray(value)) return value.map(item => eachText(item, replaced))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, eachText(field, replaced)]))
}
