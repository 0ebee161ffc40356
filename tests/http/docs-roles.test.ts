import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operations } from '#lib/http/operations/all.ts'

/**
 * Returns the role that the reference must name. The reference says once that operators send and answer, so only
 * reads for operators name that role.
 */
function roleOf({ method, ...caller }: (typeof operations)[number]): string | undefined {
  if (caller.actor === 'public' || caller.scope === 'read') return undefined
  if (caller.scope === 'edit') return 'editor'
  if (caller.scope === 'own') return 'owner'
  return method === 'GET' ? 'operator' : undefined
}

test('22 B6: the API reference names the required role in each line that starts with a call', async () => {
  const docs = await readFile('docs/api.md', 'utf8')
  const missing: string[] = []
  for (const [line, method, address = ''] of docs.matchAll(
    /^(?:\| )?`(GET|POST|PUT|PATCH|DELETE) (\/[^` ?]+).*$/gm
  )) {
    const path = address.replaceAll(/:\w+/g, '{}')
    const operation = operations.find(
      candidate => candidate.method === method && candidate.path.replaceAll(/\{\w+\}/g, '{}') === path
    )
    const role = operation === undefined ? undefined : roleOf(operation)
    if (role !== undefined && !line.includes(`\`${role}\``)) missing.push(`${method} ${address}: ${role}`)
  }
  expect(missing).toEqual([])
})
