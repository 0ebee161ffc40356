import { createContext, Script } from 'node:vm'
import { z } from 'zod'

/** The longest a value may be checked by somebody else's schema, in milliseconds; tried once more, as a machine may pause. */
const longest = 100

/**
 * Checks a value by a JSON Schema that somebody else wrote (a client, an agent's config). Such a schema can take for ever
 * (a `pattern` that backtracks, a choice of choices of choices) and with it the whole process, or recur without end: so
 * it is stopped after a moment, and the value does not fit. Nothing of it stays: a registry of its own forgets its `id`s.
 */
export function parseBy(schema: Record<string, unknown>, value: unknown): z.ZodSafeParseResult<unknown> {
  const parse = () => z.fromJSONSchema(schema as never, { registry: z.registry() }).safeParse(value)
  try {
    return (
      inTime(parse) ?? inTime(parse) ?? misfit('It took too long to check by the schema that it must fit.')
    )
  } catch (error) {
    // The stack's end. Other errors are ours.
    if (error instanceof RangeError) return misfit('The schema that it must fit never ends.')
    throw error
  }
}

/** A script can be stopped from outside, a function cannot: so a script calls it. */
const script = new Script('work()')
const room: { work?: () => unknown } = createContext({})

/** What `work` gives; undefined when it was stopped. */
function inTime<T>(work: () => T): T | undefined {
  room.work = work
  try {
    return script.runInContext(room, { timeout: longest }) as T
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    delete room.work
  }
}

const misfit = (message: string) => ({
  success: false as const,
  error: new z.ZodError([{ code: 'custom', path: [], message, input: undefined }])
})
