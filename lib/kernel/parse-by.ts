import { createContext, Script } from 'node:vm'
import { z } from 'zod'

/** The longest a value may be checked by somebody else's schema, in milliseconds. */
const longest = 100

/**
 * Checks a value by a JSON Schema that somebody else wrote (a client, an agent's config). Its `pattern`s may be such that
 * JavaScript's engine takes for ever on the right value, and with it the whole process: so it is stopped after a moment,
 * and the value does not fit.
 */
export function parseBy(schema: Record<string, unknown>, value: unknown): z.ZodSafeParseResult<unknown> {
  const parse = () => z.fromJSONSchema(schema as never).safeParse(value)
  if (!JSON.stringify(schema).includes('"pattern')) return parse()
  try {
    return inTime(parse)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const message = 'It took too long to check: a "pattern" of the schema backtracks on it without end.'
    return {
      success: false,
      error: new z.ZodError([{ code: 'custom', path: [], message, input: undefined }])
    }
  }
}

/** A script can be stopped from outside, a function cannot: so a script calls it. */
const script = new Script('work()')
const room: { work?: () => unknown } = createContext({})

function inTime<T>(work: () => T): T {
  room.work = work
  try {
    return script.runInContext(room, { timeout: longest }) as T
  } finally {
    delete room.work
  }
}
