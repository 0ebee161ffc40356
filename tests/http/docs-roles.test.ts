import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operations } from '#lib/http/operations/all.ts'

/** The role that a call asks for. That an operator sends and answers is said once, at the top; of a call that reads it is news. */
function roleOf({ method, ...caller }: (typeof operations)[number]): string | undefined {
  if (caller.actor === 'public' || caller.scope === 'read') return undefined
  if (caller.scope === 'edit') return 'editor'
  if (caller.scope === 'own') return 'owner'
  return method === 'GET' ? 'operator' : undefined
}

test('22 B6: the API reference names the role that a call asks for, wherever a line begins with the call', async () => {
  const docs = await readFile('docs/api.md', 'utf8')
  const missing: string[] = []
  for (const [line, method, address = ''] of docs.matchAll(
    /^(?:\| )?`(GET|POST|PUT|PATCH|DELETE) (\/[^` ?]+).*$/gm
  )) {
    const path = address.replaceAll(/:\w+/g, '{}')
    const one = operations.find(at => at.method === method && at.path.replaceAll(/\{\w+\}/g, '{}') === path)
    const role = one === undefined ? undefined : roleOf(one)
    if (role !== undefined && !line.includes(`\`${role}\``)) missing.push(`${method} ${address}: ${role}`)
  }
  expect(missing).toEqual([])
})
