import { expect, test } from 'vitest'
import { agents } from '#db/schema/agents.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Tests of the values that go through `connect` of db/client.ts, in both directions. */

const values = [
  { name: 'an object', value: { a: [1, null, 'x'], b: { c: true } } },
  { name: 'an array of objects', value: [{ a: 1 }, { a: 2 }] },
  { name: 'an array of texts', value: ['a', '"b"'] },
  { name: 'a text that is JSON itself', value: '{"a": 1}' },
  { name: 'a number', value: 7 }
]

for (const type of ['json', 'jsonb'])
  for (const { name, value } of values)
    test(`${name} as a parameter of type ${type} is encoded once`, async () => {
      const { sql } = await startTestServer()
      const cast = sql.unsafe(type)
      const [row] =
        await sql`select ${value as object}::${cast} as value, ${value as object}::${cast}::text as stored`
      expect(row?.value).toEqual(value)
      expect(JSON.parse(String(row?.stored))).toEqual(value)
    })

test("a null parameter is SQL's NULL, and characters that Postgres cannot store are replaced", async () => {
  const { sql } = await startTestServer()
  const [row] = await sql`
    select ${null}::jsonb is null as nothing, ${{ text: 'a\0b\ud800' }}::jsonb ->> 'text' as text`
  expect(row).toEqual({ nothing: true, text: 'a\ufffdb\ufffd' })
})

test('the query builder encodes JSON once and reads times as dates', async () => {
  const { ctx, sql } = await startTestServer()
  const config = { displayName: 'Built', type: 'chat', chat: { instructions: '"quoted"' } }
  const at = new Date('2026-01-02T03:04:05.678Z')
  const row = { workspaceId: 'default', id: 'built', config: config as never, revision: 1, updatedAt: at }
  await ctx.db.insert(agents).values(row as typeof agents.$inferInsert)
  const [stored] = await sql`select jsonb_typeof(config) as type, updated_at from agents where id = 'built'`
  expect(stored).toEqual({ type: 'object', updatedAt: at.toISOString() })
  const built = (await ctx.db.select().from(agents)).find(({ id }) => id === 'built')
  expect(built).toMatchObject({ config, updatedAt: at })
})

test('result columns are in camelCase, and times are ISO 8601 with milliseconds', async () => {
  const { sql } = await startTestServer()
  const [row] = await sql`
    select timestamptz '2026-01-02 03:04:05.678912+02' as read_at, '{"snake_case": 1}'::jsonb as as_it_is, 1::bigint as big`
  expect(row).toEqual({ readAt: '2026-01-02T01:04:05.678Z', asItIs: { snake_case: 1 }, big: 1 })
})
