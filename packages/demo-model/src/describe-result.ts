import { describeSession } from './describe-session.ts'
import { parsed } from './parsed.ts'
import { quote } from './quote.ts'
import type { Result } from './read-prompt.ts'

/**
 * Describes the result of a call and quotes it. Adds a second sentence if its arguments were edited. `now` is in
 * milliseconds since 1970 and is used for the local time.
 */
export function describeResult({ callId, tool, outcome, value }: Result, now: number): string {
  switch (outcome) {
    case 'pending':
      return `\`${tool}\` has no answer yet.`
    case 'denied':
      return `\`${tool}\` was denied${value ? `: ${quote(value)}` : ''}.`
    case 'failed':
      return `\`${tool}\` failed: ${quote(value)}.`
    case 'ok':
      if ('ranWith' in fields(value)) return describeEdited({ callId, tool, outcome, value }, now)
      return describeKnown(tool, fields(value), now) ?? `\`${tool}\` answered ${quote(value)}.`
  }
}

/** Describes a result whose arguments an approver edited. `lib/engine/turn/prompt.ts` wraps it with `ranWith`. */
function describeEdited(result: Result, now: number): string {
  const { ranWith, result: value } = fields(result.value)
  return `${describeResult({ ...result, value }, now)} It ran with edited arguments: ${quote(ranWith)}.`
}

/** Describes the answer of a tool whose output format is known. Returns undefined for other answers. */
function describeKnown(tool: string, value: Record<string, unknown>, now: number): string | undefined {
  if (tool === 'ask-question' && 'answer' in value) return `You answered ${quote(value.answer)}.`
  if (tool === 'request_connection' && typeof value.integration === 'string') {
    if (value.connected === true) return `${value.integration} is connected.`
    if (value.connected === false) {
      return `${value.integration} is not connected${value.reason ? ` (${quote(value.reason)})` : ''}.`
    }
  }
  if (tool === 'web-fetch' && typeof value.text === 'string')
    return `The page says ${quote(value.text.replace(/^[\s#]+/, '').replace(/\s+/g, ' '))}.`
  if (tool === 'alarm-clock' && typeof value.nextAt === 'string')
    return `I set the reminder for ${value.nextAt.slice(11, 16)} UTC.`
  if (tool === 'spawn-agent' && typeof value.result === 'string')
    return `The sub-agent finished: ${quote(value.result)}.`
  if (tool === 'client-info' && typeof value.timeZone === 'string')
    return timeIn(value.timeZone, value.locale, now)
  return describeSession(tool, value)
}

function timeIn(timeZone: string, locale: unknown, now: number): string | undefined {
  try {
    const format = { timeZone, dateStyle: 'full', timeStyle: 'short' } as const
    const time = new Intl.DateTimeFormat(typeof locale === 'string' ? locale : 'en', format).format(now)
    return `Your local time is ${time} (${timeZone}).`
  } catch (error) {
    // A browser can send any text. The reply quotes an answer with an unknown time zone or locale as it is.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the fields of an object or of its JSON text. Empty for other values. */
function fields(value: unknown): Record<string, unknown> {
  const object = typeof value === 'string' ? parsed(value) : value
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {}
}
