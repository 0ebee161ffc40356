import { createContext, Script } from 'node:vm'
import { z } from 'zod'

/** The longest a value is checked by somebody else's schema at a stretch, and how much CPU it may take in all. Milliseconds. */
const longest = 100
const mostCpu = 150

/**
 * Checks a value by a JSON Schema that somebody else wrote (a client, an agent's config). Such a schema can take for ever
 * (a `pattern` that backtracks, a choice of choices of choices) and with it the whole process, or recur without end: so
 * it is stopped after a moment, and the value does not fit. A moment in which the machine had no time for us is none: it
 * is tried again until it has had its share. Nothing of it stays: a registry of its own forgets its `id`s.
 */
export function parseBy(schema: Record<string, unknown>, value: unknown): z.ZodSafeParseResult<unknown> {
  const parse = () => z.fromJSONSchema(schema as never, { registry: z.registry() }).safeParse(value)
  try {
    const used = process.threadCpuUsage()
    for (;;) {
      const checked = inTime(parse)
      if (checked !== undefined) return checked
      const { user, system } = process.threadCpuUsage(used)
      if (user + system >= mostCpu * 1000)
        return misfit('It took too long to check by the schema that it must fit.')
    }
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
