import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { expect, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let sql: postgres.Sql
let server: TestServer
const closers: (() => Promise<unknown>)[] = []

/** A server whose database the test can reach: there is no other way yet to become a member of a second workspace. */
test.beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-workspaces-'))
  closers.push(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const database = await startEmbeddedPostgres({ dir, durable: false })
  closers.push(() => database.stop())
  sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  closers.push(() => sql.end())
  server = await startServer({ DATABASE_URL: database.url })
  closers.push(() => server.stop())
})
test.afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('who is in two workspaces goes to the other one by its name, and sees its sessions and no others', async ({
  page
}) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await expect(page.getByText('Change workspace')).toHaveCount(0)

  await sql`insert into workspaces (id, name, link_secret) values ('north', 'North depot', 'a link secret')`
  await sql`insert into members (workspace_id, user_id, role) values ('north', 'local-owner', 'owner')`
  const headers = { 'waystation-workspace': 'north', origin: server.url }
  const made = await page.request.post(`${server.url}/api/agents`, {
    headers,
    data: { agentId: 'clerk', displayName: 'Clerk' }
  })
  expect(made.status()).toBe(201)
  const begun = await page.request.post(`${server.url}/api/plugins/sessions/operations/create`, {
    headers,
    data: { agentId: 'clerk', sessionId: 'snow', title: 'Snow on the points' }
  })
  expect(begun.status()).toBe(201)

  await page.reload()
  const list = page.getByRole('list', { name: 'Sessions' })
  await expect(list.getByText('Welcome')).toBeVisible()
  await expect(list.getByText('Snow on the points')).toHaveCount(0)

  await page.getByRole('button', { name: 'Workspace Change workspace' }).click()
  await page.getByRole('menuitem', { name: 'North depot' }).click()
  await page.waitForURL(/\/sessions$/)
  await expect(page.getByRole('button', { name: 'North depot Change workspace' })).toBeVisible()
  await expect(list.getByText('Snow on the points')).toBeVisible()
  await expect(list.getByText('Welcome')).toHaveCount(0)
  expect((await page.goto(`${server.url}/sessions/welcome`))?.status()).toBe(404)

  await page.getByRole('button', { name: 'North depot Change workspace' }).click()
  await page.getByRole('menuitem', { name: 'Workspace' }).click()
  await page.waitForURL(/\/sessions$/)
  await expect(list.getByText('Welcome')).toBeVisible()
})
