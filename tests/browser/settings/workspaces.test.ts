import { expect, type Page, test } from '#tests/browser/test.ts'

const change = (page: Page) => page.getByTestId('change-workspace')

/** Creates a workspace in the UI and enters it. */
async function createWorkspace(page: Page, name: string): Promise<void> {
  await change(page).click()
  await page.getByTestId('new-workspace').click()
  await page.getByTestId('create-workspace').click()
  await expect(page.getByRole('dialog').getByTestId('field-error')).toBeVisible()
  await page.getByRole('dialog').getByRole('textbox').fill(name)
  await page.keyboard.press('Enter')
  await expect(change(page)).toContainText(name)
}

/** Deletes the current workspace in the UI. */
async function deleteWorkspace(page: Page, name: string): Promise<void> {
  await page.goto('/settings/general')
  await page.getByTestId('delete-workspace').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(name.slice(1))
  await page.keyboard.press('Enter')
  await expect(dialog.getByTestId('field-error')).toBeVisible()
  await dialog.getByRole('textbox').fill(name)
  await page.keyboard.press('Enter')
  await expect(change(page)).not.toContainText(name)
}

test('an owner creates a workspace, switches by name, and sees only the sessions of the current one', async ({
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
  await expect(list.getByText(home)).toBeVisible()
  await createWorkspace(page, north)
  await expect(list.getByText(home)).toHaveCount(0)
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { headers: { origin: server.url }, data })
    expect(response.status()).toBe(201)
  }
  await post('/api/agents', { agentId: 'clerk', displayName: 'Clerk' })
  await post('/api/plugins/sessions/operations/create', { agentId: 'clerk', sessionId: snow, title: snow })
  await page.reload()
  await expect(list.getByText(snow)).toBeVisible()
  await expect(list.getByText(home)).toHaveCount(0)
  expect((await page.goto(`/sessions/${home}`))?.status()).toBe(404)

  await change(page).click()
  await page.getByRole('menuitem').first().click()
  await page.waitForURL(/\/sessions$/)
  await expect(list.getByText(home)).toBeVisible()
  await expect(list.getByText(snow)).toHaveCount(0)

  await change(page).click()
  await page.getByRole('menuitem', { name: north }).click()
  await expect(list.getByText(snow)).toBeVisible()
  await deleteWorkspace(page, north)
  await expect(list.getByText(home)).toBeVisible()
})

test('two tabs in different workspaces each change their own', async ({ page, context, id }) => {
  const [first, second, renamed] = [id('first'), id('second'), id('renamed')]
  await page.goto('/sessions')
  await createWorkspace(page, first)
  await page.goto('/settings/general')
  const other = await context.newPage()
  await other.goto('/sessions')
  await createWorkspace(other, second)
  // The cookie of both tabs names the second workspace now.
  await page.getByTestId('workspace').getByRole('textbox').fill(renamed)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('workspace').getByRole('status')).toContainText(/./)
  await other.reload()
  await other.getByTestId('change-workspace').click()
  await expect(other.getByRole('menuitem', { name: renamed })).toHaveCount(1)
  await expect(other.getByRole('menuitem', { name: second })).toHaveCount(1)
  await expect(other.getByRole('menuitem', { name: first })).toHaveCount(0)
  await other.keyboard.press('Escape')
  await deleteWorkspace(other, second)
  await change(other).click()
  await other.getByRole('menuitem', { name: renamed }).click()
  await expect(change(other)).toContainText(renamed)
  await deleteWorkspace(other, renamed)
})

test('an owner renames a workspace, and only the one that every server has cannot be deleted', async ({
  page,
  id
}) => {
  const [made, renamed] = [id('made'), id('renamed')]
  await page.goto('/settings/general')
  await expect(page.getByTestId('workspace')).toBeVisible()
  await expect(page.getByTestId('delete-workspace')).toHaveCount(0)
  await createWorkspace(page, made)
  await page.goto('/settings/general')
  await page.getByTestId('workspace').getByRole('textbox').fill(renamed)
  await page.keyboard.press('Enter')
  await expect(change(page)).toContainText(renamed)
  await deleteWorkspace(page, renamed)
})
