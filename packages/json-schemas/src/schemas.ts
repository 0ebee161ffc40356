import { digestOf } from '@waystation/base/digest.ts'
import { workerThread } from '@waystation/base/threads/worker-thread.ts'
import { LRUCache } from 'lru-cache'

/** A question for the thread: does `value` match the schema? Without `value`: is the schema valid? */
export type SchemaQuestion = { schema: Record<string, unknown>; digest: string; value?: { is: unknown } }

/** The value with the schema's defaults, or the errors by path, or why the schema cannot be used. */
export type SchemaAnswer = { value: unknown } | { fields: Record<string, string> } | { error: string | null }

/**
 * Reads untrusted JSON Schemas and validates values with them, in another thread and in bounded time. `lane`
 * is for fair scheduling.
 */
export type Schemas = {
  /**
   * Returns the value with the schema's defaults, or the errors by path ('' is the whole value). `late`: the check
   * timed out, so the result is unknown.
   */
  check: (
    schema: Record<string, unknown>,
    value: unknown,
    lane: string
  ) => Promise<{ ok: true; value: unknown } | { ok: false; fields: Record<string, string>; late?: true }>
  /**
   * Returns for each schema why it cannot be used, or null if it can. The reason is the end of a sentence that starts
   * with "it".
   */
  errorsOf: (schemas: readonly Record<string, unknown>[], lane: string) => Promise<(string | null)[]>
}

/** How many results of schema checks are cached. */
const maxCached = 2_000

/** The error of a schema whose check timed out. Another attempt can succeed. */
export const notInTime = 'could not be read in time: make it smaller'

/** How often a schema is tried that timed out, before it is reported as unusable. */
const maxTries = 2

/**
 * Starts a validator for JSON Schemas from untrusted sources (clients, MCP servers, plugins, models, editors). It runs
 * in another thread, which is stopped after `limitMs` of CPU time or if it uses too much memory, so other work never
 * waits. It uses Ajv (JSON Schema 2020-12, or draft 7 if a schema names it). `pattern` uses RE2, in linear time.
 */
export function schemasWith(limitMs = 1_000): Schemas & { stop: () => Promise<void> } {
  const { ask, stop } = workerThread<SchemaQuestion>({
    file: new URL('./schema-worker.ts', import.meta.url),
    limitMs,
    memory: 256,
    about: 'checks values by JSON Schemas failed. The check is reported as timed out.'
  })
  const errors = new LRUCache<string, { error: string | null }>({ max: maxCached })

  const errorOf = async (schema: Record<string, unknown>, lane: string): Promise<string | null> => {
    const digest = digestOf(schema)
    const cached = errors.get(digest)
    if (cached !== undefined) return cached.error
    for (let tries = 1; tries <= maxTries; tries++) {
      const answer = (await ask({ schema, digest }, { lane })) as { error: string | null } | undefined
      if (answer === undefined) continue
      errors.set(digest, answer)
      return answer.error
    }
    return notInTime
  }
  return {
    async check(schema, value, lane) {
      const question = { schema, digest: digestOf(schema), value: { is: value } }
      const answer = (await ask(question, { lane })) as SchemaAnswer | undefined
      if (answer === undefined)
        return { ...misfit('The value could not be checked against its schema in time.'), late: true }
      if ('error' in answer) return misfit(`The value could not be checked: its schema ${answer.error}.`)
      return 'fields' in answer ? { ok: false, fields: answer.fields } : { ok: true, value: answer.value }
    },
    // Schemas are checked one after the other, so that none of them times out in the queue behind the others.
    async errorsOf(schemas, lane) {
      const results: (string | null)[] = []
      // After one timeout, the others would time out too.
      for (const schema of schemas)
        results.push(results.includes(notInTime) ? notInTime : await errorOf(schema, lane))
      return results
    },
    stop
  }
}

const misfit = (message: string) => ({ ok: false as const, fields: { '': message } })
