import { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { Redaction, RedactKind } from '#lib/kernel/ports/redaction.ts'
import type { Ctx } from './ctx.ts'

/**
 * Applies the operator's redaction to every text in a value, but not to field names. Throws `UNAVAILABLE` if the
 * redaction fails, so that the value is not stored.
 */
export function redacted<T>(ctx: Ctx, kind: RedactKind, value: T): T {
  const { redaction } = ctx.ports
  if (redaction === undefined) return value
  return eachText(value, text => redactText(redaction, text, { kind, workspaceId: ctx.workspaceId })) as T
}

/** Like `redacted`, but for work that can no longer be rejected: if the redaction fails, it returns `instead`. */
export function redactedOr<T>(ctx: Ctx, kind: RedactKind, value: T, instead: T): T {
  try {
    return redacted(ctx, kind, value)
  } catch (error) {
    if (error instanceof ApiError) return instead
    throw error
  }
}

/** Redacts one text. Throws `UNAVAILABLE` if the redaction fails. */
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
    // The error's message can quote the text.
    const { name, stack = '' } = error instanceof Error ? error : new TypeError()
    const where = stack.split('\n').find(line => line.trim().startsWith('at '))
    log('error', 'the redaction failed, so the text is not stored', {
      ...about,
      name,
      where: where?.trim()
    })
    throw new ApiError(
      'UNAVAILABLE',
      'The text could not be redacted, so nothing was stored. The operator of this server can find the reason in the log.'
    )
  }
}

/** Returns a copy with every string replaced, at any depth. Field names are unchanged. */
export function eachText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(item => eachText(item, replace))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, eachText(field, replace)]))
}
