import { WaystationError } from '@waystation/client'
import { oneLine } from './escape.ts'
import { Fault, UsageError } from './fault.ts'

/** Returns the line that describes an error, with its code in brackets. `url` is the server's. */
export function errorText(error: unknown, url: string): string {
  if (error instanceof UsageError) return `${error.message} [USAGE]`
  if (error instanceof Fault) return `${oneLine(error.message, 2000)} [${error.code}]`
  if (error instanceof WaystationError) return `${messageOf(error, url)} [${oneLine(error.code, 100)}]`
  return `${oneLine(error instanceof Error ? error.message : String(error), 2000)} [UNEXPECTED]`
}

function messageOf({ code, message, fields = {} }: WaystationError, url: string): string {
  if (code === 'UNREACHABLE')
    return `No server responds at ${oneLine(url)}. Check --url, WAYSTATION_URL and your network.`
  const problems = Object.entries(fields).map(([name, problem]) => ` ${name}: ${problem}.`)
  return oneLine(`${message}${problems.join('')}`, 2000)
}

/** Returns the exit code for an error: 2 for a wrong command line, otherwise 1. */
export const exitCodeOf = (error: unknown): 1 | 2 => (error instanceof UsageError ? 2 : 1)
