import { LRUCache } from 'lru-cache'
import type { Schemas } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { workerThread } from '#lib/kernel/threads/worker-thread.ts'

/** What the thread is asked: whether `value` fits the schema, or without one, what is wrong with the schema. */
export type SchemaQuestion = { schema: Record<string, unknown>; digest: string; value?: { is: unknown } }

/** A value as it fits, with the schema's defaults, or by its path what does not fit; or why nothing can be checked by it. */
export type SchemaAnswer = { value: unknown } | { fields: Record<string, string> } | { fault: string | null }

/** How many schemas are remembered as usable or not. */
const remembered = 2_000

/** The fault of a schema that was not read in time. Another time it may be. */
export const notInTime = 'could not be read in time: make it smaller'

/** How often a schema that could not be read in time is tried before it counts as unusable. */
const mostTries = 2

/**
 * Reads JSON Schemas that somebody else wrote (a client, an MCP server, a plugin, a model, an editor) and checks values by them
 * on a thread of its own: one that never ends, or grows without end, is stopped after `limitMs` of CPU time, and holds nobody up. The
 * library is Ajv (JSON Schema 2020-12, or draft 7 where a schema names it); `pattern` is RE2's, in linear time.
 */
export function schemasWith(limitMs = 1_000): Schemas & { stop: () => Promise<void> } {
  const { ask, stop } = workerThread<SchemaQuestion>({
    file: new URL('./schema-worker.ts', import.meta.url),
    limitMs,
    memory: 256,
    about: 'checks values by JSON Schemas failed. The check is reported as timed out.'
  })
  const faults = new LRUCache<string, { fault: string | null }>({ max: remembered })

  const faultOf = async (schema: Record<string, unknown>, lane: string): Promise<string | null> => {
    const digest = digestOf(schema)
    const known = faults.get(digest)
    if (known !== undefined) return known.fault
    for (let tries = 1; tries <= mostTries; tries++) {
      const said = (await ask({ schema, digest }, { lane })) as { fault: string | null } | undefined
      if (said === undefined) continue
      faults.set(digest, said)
      return said.fault
    }
    return notInTime
  }
  return {
    async check(schema, value, lane) {
      const question = { schema, digest: digestOf(schema), value: { is: value } }
      const said = (await ask(question, { lane })) as SchemaAnswer | undefined
      if (said === undefined)
        return { ...misfit('The value could not be checked against its schema in time.'), late: true }
      if ('fault' in said) return misfit(`The value could not be checked: its schema ${said.fault}.`)
      return 'fields' in said ? { ok: false, fields: said.fields } : { ok: true, value: said.value }
    },
    // One after the other: none of them grows stale behind its own kind.
    async faultsOf(schemas, lane) {
      const found: (string | null)[] = []
      // Behind one that was not read in time the others would not be, either.
      for (const schema of schemas)
        found.push(found.includes(notInTime) ? notInTime : await faultOf(schema, lane))
      return found
    },
    stop
  }
}

const misfit = (words: string) => ({ ok: false as const, fields: { '': words } })
