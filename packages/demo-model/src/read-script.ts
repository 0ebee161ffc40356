import { type Phrase, readPhrase } from './read-phrase.ts'

/**
 * A parsed line of a message. `wrong` is a command with an error, which `why` explains to the user. `unknown` is
 * neither a command nor a known phrase. A `use` line without input gets an example. `retryAfter` is in seconds.
 */
export type Line =
  | { do: 'use'; tool: string; input?: object }
  | { do: 'say'; text: string }
  | { do: 'count'; to: number }
  | { do: 'fail'; status: number; retryAfter?: number }
  | { do: 'cut' }
  | Phrase
  | { do: 'wrong'; why: string }
  | { do: 'unknown'; text: string }

const MAX_COUNT = 10_000

/**
 * Parses a message into steps, each with its lines (docs/api.md#demo-model). Returns undefined if no line is a command
 * or a known phrase. A `then` line starts the next step. After a step without calls, it has no effect, because there
 * are no results to wait for. Unknown lines after `say` belong to its text.
 *
 * @param now milliseconds since 1970, for "in 10 minutes"
 */
export function readScript(text: string, now: number): Line[][] | undefined {
  const steps: Line[][] = [[]]
  let gap = ''
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    gap += '\n'
    if (!line) continue
    if (line.toLowerCase() === 'then') {
      if (steps.at(-1)!.some(calls)) steps.push([])
    } else {
      const read = readLine(line, now)
      const last = steps.at(-1)!.at(-1)
      if (read.do === 'unknown' && last?.do === 'say') last.text += `${gap}${raw.trimEnd()}`
      else steps.at(-1)!.push(read)
    }
    gap = ''
  }
  if (steps.length > 1 && steps.at(-1)!.length === 0) steps.pop()
  return steps.flat().some(line => line.do !== 'unknown') ? steps : undefined
}

/** Returns true if the line calls a tool. */
export const calls = (line: Line): boolean => line.do === 'use' || line.do === 'ask'

function readLine(line: string, now: number): Line {
  const space = line.search(/\s/)
  const word = (space < 0 ? line : line.slice(0, space)).toLowerCase()
  const rest = space < 0 ? '' : line.slice(space).trim()
  if (word === 'use') return readUse(rest)
  if (word === 'say')
    return rest ? { do: 'say', text: rest } : { do: 'wrong', why: '`say` needs text after it.' }
  if (word === 'count' && /^to \d+\.?$/i.test(rest)) return readCount(Number.parseInt(rest.slice(3), 10))
  if (word === 'fail') return readFail(rest.toLowerCase())
  return readPhrase(line, now) ?? { do: 'unknown', text: line }
}

function readUse(rest: string): Line {
  const space = rest.search(/[\s{]/)
  const tool = space < 0 ? rest : rest.slice(0, space)
  if (!tool) return { do: 'wrong', why: '`use` needs the name of a tool and its input as JSON.' }
  const json = space < 0 ? '' : rest.slice(space).trim()
  if (json === '') return { do: 'use', tool }
  try {
    const input: unknown = JSON.parse(json)
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return { do: 'use', tool, input }
    return { do: 'wrong', why: `The input for \`${tool}\` must be a JSON object, like {"name": "value"}.` }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { do: 'wrong', why: `The input for \`${tool}\` must be JSON on one line: ${why}.` }
  }
}

function readCount(to: number): Line {
  if (to >= 1 && to <= MAX_COUNT) return { do: 'count', to }
  return { do: 'wrong', why: `I can count to any number from 1 to ${MAX_COUNT}.` }
}

function readFail(how: string): Line {
  if (how === 'cut') return { do: 'cut' }
  const [, status, retryAfter] = /^([45]\d\d)(?:\s+(\d{1,6}))?$/.exec(how) ?? []
  if (!status)
    return {
      do: 'wrong',
      why: 'To make me fail, write `fail 429 5` (retry after 5 seconds), `fail 500` or `fail cut`.'
    }
  return { do: 'fail', status: Number(status), ...(retryAfter && { retryAfter: Number(retryAfter) }) }
}
