import { parsed } from './parsed.ts'
import { quote } from './quote.ts'
import type { Result } from './read-prompt.ts'

/** What came back from a call, as one sentence that quotes it. `now`: milliseconds since 1970. */
export function describeResult({ callId, tool, outcome, value }: Result, now: number): string {
  switch (outcome) {
    case 'waiting':
      return `\`${tool}\` has no answer yet.`
    case 'denied':
      return `\`${tool}\` was denied${value ? `: ${quote(value)}` : ''}.`
    case 'failed':
      return `\`${tool}\` failed: ${quote(value)}.`
    case 'ok':
      if ('ranWith' in fields(value)) return describeEdited({ callId, tool, outcome, value }, now)
      return wordsFor(tool, fields(value), now) ?? `\`${tool}\` answered ${quote(value)}.`
  }
}

/** A result whose arguments a person changed before it ran; `lib/engine/turn` wraps it so. */
function describeEdited(result: Result, now: number): string {
  const { ranWith, result: value } = fields(result.value)
  return `${describeResult({ ...result, value }, now)} It ran with edited arguments: ${quote(ranWith)}.`
}

/** The built-in tools whose answers have a shape we know (api.md "Answers of the built-in calls"). */
function wordsFor(tool: string, value: Record<string, unknown>, now: number): string | undefined {
  if (tool === 'ask-question' && 'answer' in value) return `You answered ${quote(value.answer)}.`
  if (tool === 'request_connection' && typeof value.integration === 'string') {
    if (value.connected === true) return `${value.integration} is connected.`
    if (value.connected === false) {
      return `${value.integration} is not connected${value.reason ? ` (${quote(value.reason)})` : ''}.`
    }
  }
  if (tool === 'web-fetch' && typeof value.text === 'string')
    return `The page says ${quote(value.text.replace(/^[\s#]+/, '').replace(/\s+/g, ' '))}.`
  if (tool === 'client-info' && typeof value.timeZone === 'string')
    return timeIn(value.timeZone, value.locale, now)
  return undefined
}

function timeIn(timeZone: string, locale: unknown, now: number): string | undefined {
  try {
    const format = { timeZone, dateStyle: 'full', timeStyle: 'short' } as const
    const time = new Intl.DateTimeFormat(typeof locale === 'string' ? locale : 'en', format).format(now)
    return `Your local time is ${time} (${timeZone}).`
  } catch (error) {
    // A browser may say anything: a zone or locale that does not exist is quoted like any other answer.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The fields of an answer, whether it came as an object or as the JSON of one. */
function fields(value: unknown): Record<string, unknown> {
  const given = typeof value === 'string' ? parsed(value) : value
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
}
