import { expect, type Page, test } from '#tests/browser/test.ts'
import { openAgent } from './open-agent.ts'

type Stored = { revision: number; chat: { tools: object[] } }

const toolField = (page: Page, name: string) => page.locator(`[name="data.parameters.tool.${name}"]`)
const save = (page: Page) => page.getByTestId('entry-form').getByTestId('save')

test('002-17: an own tool is created in a form and as JSON, found in the catalog, and added to an agent’s draft', async ({
  page,
  api,
  id
}) => {
  const [slug, agentId] = [id('order'), id('agent')]
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'web-fetch' }] } })
  await page.goto('/agents')
  await page.getByTestId('open-catalogue').press('Enter')
  await page.getByTestId('new-entry').press('Enter')
  await page.locator('[name=name]').fill(`Order status ${slug}`)
  await page.getByTestId('entry-names').locator('summary').click()
  await page.locator('[name=slug]').fill('Not A Slug')
  await save(page).click()
  await expect(page.locator('[name=slug]')).toHaveAttribute('aria-invalid', 'true')
  await expect(toolField(page, 'url')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('[name=slug]').fill(slug)
  await toolField(page, 'name').fill('order_status')
  await page.locator('textarea[name=description]').fill('Look up an order.')
  await toolField(page, 'url').fill('https://shop.example/orders')
  await page.getByTestId('tab-json').click()
  const json = page.locator('[name="data.parameters.tool"]')
  const tool = JSON.parse(await json.inputValue())
  expect(tool).toMatchObject({ name: 'order_status', where: 'external' })
  // A syntax error keeps the tab open.
  await json.fill('{')
  await page.getByTestId('tab-form').click()
  await expect(json).toHaveAttribute('aria-invalid', 'true')
  const inputSchema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }
  await json.fill(JSON.stringify({ ...tool, inputSchema }))
  await save(page).click()
  await page.waitForURL(`/catalogue/${slug}`)
  await expect(page.getByTestId('parameters')).toContainText('order')
  await expect(page.getByTestId('entry-users').getByRole('listitem')).toHaveCount(0)

  await page.getByTestId('add-to-agent').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption(agentId)
  await dialog.getByTestId('add-to-draft').click()
  await page.waitForURL(`/agents/${agentId}`)
  await page.getByTestId('review-draft').click()
  await expect(dialog.getByTestId('widened')).toContainText('https://shop.example/')
  await dialog.getByTestId('publish-revision').click()
  const stored = () => api<Stored>('GET', `/api/agents/${agentId}`)
  await expect.poll(async () => (await stored()).revision).toBe(2)
  expect((await stored()).chat.tools).toMatchObject([
    { name: 'web-fetch' },
    { '@ag.embed': { '@ag.references': { workflow: { slug, version: 'v1' } } }, name: 'order_status' }
  ])
  await page.goto('/catalogue')
  await page.getByTestId('search-catalogue').fill(slug.toUpperCase())
  await page.getByTestId('catalogue').getByRole('link').click()
  await expect(page.getByTestId('entry-users').getByRole('link')).toHaveAttribute(
    'href',
    `/agents/${agentId}`
  )
})

test('a new version leaves the agent on its version until the entry is added again, and an archived entry can be restored', async ({
  page,
  api,
  id
}) => {
  const slug = id('greet')
  const greeting = { kind: 'skill', name: slug, data: { parameters: { text: 'Say good day.' } } }
  await api('POST', '/api/catalogue', { slug, ...greeting })
  const embed = {
    '@ag.references': { workflow: { slug, version: 'v1' } },
    '@ag.selector': { path: 'parameters' }
  }
  await openAgent({ page, api, agentId: slug, config: { skills: [{ '@ag.embed': embed, name: 'Mine' }] } })
  await page.goto(`/catalogue/${slug}`)
  await page.locator('[name="data.parameters.text"]').fill('Say good night.')
  await save(page).click()
  await expect(page.getByTestId('entry-form').getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
  await expect(page.getByTestId('entry-users')).toContainText(/v1.*v2/)
  await page.getByTestId('add-to-agent').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption(slug)
  await dialog.getByTestId('add-to-draft').click()
  await page.waitForURL(`/agents/${slug}`)
  const { draft } = await api<{ draft: { config: object } }>('GET', `/api/agents/${slug}/draft`)
  expect(draft.config).toMatchObject({
    chat: { skills: [{ '@ag.embed': { '@ag.references': { workflow: { version: 'v2' } } }, name: 'Mine' }] }
  })

  await page.goto(`/catalogue/${slug}`)
  await page.getByTestId('archive-entry').click()
  await page.getByTestId('confirm').click()
  await expect(page.getByTestId('entry-archived')).toBeVisible()
  await expect(page.getByTestId('entry-users').getByRole('listitem')).toHaveCount(1)
  await page.goto('/catalogue')
  await page.getByTestId('search-catalogue').fill(slug)
  await expect(page.getByTestId('catalogue')).toHaveCount(0)
  await page.getByTestId('clear-search').press('Enter')
  await expect(page.getByTestId('search-catalogue')).toBeFocused()
  await expect(page.getByTestId('catalogue')).toBeVisible()
  await page.getByTestId('search-catalogue').fill(slug)
  await page.getByTestId('filter-catalogue').selectOption('archived')
  await page.getByTestId('catalogue').getByRole('link').click()
  await save(page).click()
  await expect(page.getByTestId('entry-archived')).toHaveCount(0)
})

test('an outdated form cannot overwrite a newer version', async ({ page, api, id }) => {
  const slug = id('greet')
  const greeting = { kind: 'skill', name: slug, data: { parameters: { text: 'Say good day.' } } }
  await api('POST', '/api/catalogue', { slug, ...greeting })
  await page.goto(`/catalogue/${slug}`)
  await page.locator('[name="data.parameters.text"]').fill('Mine.')
  await api('PUT', `/api/catalogue/${slug}`, greeting)
  await save(page).click()
  await expect(page.getByTestId('entry-form').getByTestId('outcome')).toHaveAttribute(
    'data-outcome',
    'failed'
  )
  expect(await api('GET', `/api/catalogue/${slug}`)).toMatchObject({ version: 'v2' })
})

test('the name of a new tool leads to its slug and tool name, and its description is the model’s too', async ({
  page,
  api,
  id
}) => {
  const slug = id('refund')
  await page.goto('/catalogue/new')
  await page.locator('[name=name]').fill(slug.toUpperCase())
  await page.locator('textarea[name=description]').fill('Pays an order back.')
  await toolField(page, 'url').fill('https://shop.example/refunds')
  await save(page).click()
  await page.waitForURL(`/catalogue/${slug}`)
  expect(await api('GET', `/api/catalogue/${slug}`)).toMatchObject({
    data: { parameters: { tool: { name: slug, description: 'Pays an order back.' } } }
  })
})
