import { expect, test } from 'vitest'
import { shifted, unshifted } from '#tests/support/servers/pass-time.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('every stored time is moved by passTime or listed with the reason why not', async () => {
  const { sql } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const stored = await sql<{ column: string }[]>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and data_type like 'timestamp%'`
  const known = [
    ...Object.entries(shifted).flatMap(([table, columns]) => columns.map(column => `${table}.${column}`)),
    ...Object.entries(unshifted).flatMap(([table, columns]) =>
      Object.keys(columns).map(column => `${table}.${column}`)
    )
  ]
  expect(known.sort()).toEqual(stored.map(({ column }) => column).sort())
})
