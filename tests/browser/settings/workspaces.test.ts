import postgres from 'postgres'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { expect, test } from '#tests/browser/test.ts'

test('a member of two workspaces switches by name and sees only the sessions of the current one', async ({
  page,
  server,
  api,
  id
}) => {
  const [north, home, snow] = [id('north'), id('home'), id('snow')]
  await api('POST', '/api/plugins/sessions/operations/create', {
    agentId: 'guide',
    sessionId: home,
    title: home
  })
  await page.goto('/sessions')
  const list = page.getByTestId('sessions')
  const change = page.getByTestId('change-workspace')
  await expect(list.getByText(home)).toBeVisible()
  await expect(change).toHaveCount(0)

  // The UI has no way yet to join a second workspace.
  const sql = postgres(server.databaseUrl, { max: 1 })
  try {
    await sql`insert into workspaces (id, name, link_secret) values (${north}, ${north}, 'a link secret')`
    await sql`insert into members (workspace_id, user_id, role) values (${north}, ${localOwner.id}, 'owner')`
    const headers = { 'waystation-workspace': north, origin: server.url }
    const created = await page.request.post('/api/agents', {
      headers,
      data: { agentId: 'clerk', displayName: 'Clerk' }
    })
    expect(created.status()).toBe(201)
    const started = await page.request.post('/api/plugins/sessions/operations/create', {
      headers,
      data: { agentId: 'clerk', sessionId: snow, title: snow }
    })
    expect(started.status()).toBe(201)

    await page.reload()
    await expect(list.getByText(home)).toBeVisible()
    await expect(list.getByText(snow)).toHaveCount(0)

    await change.click()
    await page.getByRole('menuitem', { name: north }).click()
    await expect(change).toContainText(north)
    await expect(list.getByText(snow)).toBeVisible()
    await expect(list.getByText(home)).toHaveCount(0)
    expect((await page.goto(`/sessions/${home}`))?.status()).toBe(404)

    await change.click()
    await page.getByRole('menuitem').filter({ hasNotText: north }).click()
    await page.waitForURL(/\/sessions$/)
    await expect(list.getByText(home)).toBeVisible()
  } finally {
    await sql`delete from members where workspace_id = ${north}`
    await sql.end()
  }
})
