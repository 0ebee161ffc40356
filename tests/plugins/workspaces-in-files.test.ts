import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

async function startWithFile() {
  const folder = workspaceFolder('')
  const write = (block: string) =>
    writeFileSync(join(folder, 'support.hcl'), `workspace "support" {\n${block}\n}\n`)
  write('')
  const { sql } = await startTestServer({ settings: { WAYSTATION_WORKSPACES: folder } })
  const nameOf = async () => {
    const [row] = await sql<{ name: string }[]>`
      select name from workspaces where id = 'support' and deleted_at is null`
    return row?.name
  }
  expect(await nameOf()).toBe('support')
  return { sql, write, nameOf }
}

test('003-18: a file names its workspace, and without a name the one in the playground stays', async () => {
  const { sql, write, nameOf } = await startWithFile()
  write('display_name = "Customer support"')
  await expect.poll(nameOf).toBe('Customer support')
  await sql`update workspaces set name = 'Renamed' where id = 'support'`
  write('env { A = "1" }')
  write('display_name = "Support"')
  await expect.poll(nameOf).toBe('Support')
})

test('003-18: a file deletes its workspace if it gives the right name', async () => {
  allowErrors(/could not delete its workspace/)
  const { write, nameOf, sql } = await startWithFile()
  write('delete = "Not its name"')
  await expect.poll(() => sql`select from workspaces where id = 'support' and not in_file`).toHaveLength(1)
  expect(await nameOf()).toBe('support')
  write('delete = "support"')
  await expect.poll(nameOf).toBeUndefined()
})

test('003-18: the default workspace cannot be deleted by a file', async () => {
  allowErrors(/could not delete its workspace/)
  const folder = workspaceFolder('delete = "Workspace"')
  const { sql } = await startTestServer({ settings: { WAYSTATION_WORKSPACES: folder } })
  expect(await sql`select from workspaces where id = 'default' and deleted_at is null`).toHaveLength(1)
})
