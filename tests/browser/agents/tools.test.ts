import type { Agent } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from '#tests/browser/test.ts'
import { publishAgent } from '#tests/support/servers/publish-agent.ts'

test('an editor adds an HTTP tool with arguments, sees what is missing at its fields, and removes it again', async ({
  page,
  api,
  id
}) => {
  const agentId = id('clerk')
  await api('POST', '/api/agents', { agentId, displayName: 'Clerk' })
  const section = page.getByTestId('other-tools')
  await page.goto(`/agents/${agentId}?section=tools`)
  await page.getByTestId('add-http').click()
  const row = section.locator('[data-tool-kind="http"]')
  await row.locator('[name="name"]').fill('a b')
  await expect(row.getByTestId('field-error')).toHaveCount(0)
  await page.getByTestId('tool-library').locator('summary').focus()
  await expect(row.getByTestId('field-error')).toHaveCount(2)
  await expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'refused')
  await row.locator('[name="name"]').fill('order')
  await row.locator('[name="url"]').fill('https://acme.example/orders')
  await row.getByTestId('add-parameter').click()
  await row.getByLabel('Name of argument 1').fill('sku')
  await row.getByLabel('Description of argument 1').fill('The article.')
  await row.getByTestId('add-parameter').click()
  await row.getByLabel('Name of argument 2').fill('count')
  await row.getByLabel('Type of argument 2').selectOption('integer')
  await publishAgent(page, 2)
  const stored = async () =>
    ((await api<Agent>('GET', `/api/agents/${agentId}`)) as { chat: { tools: unknown[] } }).chat
  expect((await stored()).tools).toEqual([
    {
      name: 'order',
      where: 'external',
      description: '',
      inputSchema: {
        type: 'object',
        properties: { sku: { type: 'string', description: 'The article.' }, count: { type: 'integer' } },
        required: ['sku', 'count']
      },
      url: 'https://acme.example/orders',
      approval: 'ask',
      retries: 0
    }
  ])
  await row.getByTestId('remove-tool').click()
  await expect(row).toHaveCount(0)
  await expect(page.getByTestId('tool-library').locator('summary')).toBeFocused()
})

test('a tool of the server is found by what it does, added and removed by keyboard, and the focus stays with it', async ({
  page,
  api,
  id
}) => {
  const agentId = id('clerk')
  await api('POST', '/api/agents', { agentId, displayName: 'Clerk' })
  await page.goto(`/agents/${agentId}?section=tools`)
  const library = page.getByTestId('tool-library')
  await library.getByTestId('search-tools').fill('broken links')
  await expect(library.getByRole('listitem')).toHaveCount(1)
  const tool = page.locator('[data-tool="wiki-get-errors"]')
  await tool.getByTestId('add-tool').press('Enter')
  await expect(library.getByTestId('search-tools')).toBeFocused()
  await expect(page.getByTestId('section-tools')).toContainText('1')
  await library.getByTestId('search-tools').press('Escape')
  await expect(library.locator('summary')).toBeFocused()
  await expect(library.getByTestId('search-tools')).toBeHidden()
  await tool.getByTestId('remove-tool').press('Enter')
  await expect(tool.getByTestId('add-tool')).toBeFocused()
  await expect(library.getByTestId('search-tools')).toBeVisible()
})

test('the tools of an MCP server, a plugin and the catalog are added by name, by keyboard too', async ({
  page,
  api,
  id
}) => {
  const agentId = id('clerk')
  await api('POST', '/api/agents', { agentId, displayName: 'Clerk' })
  await page.goto(`/agents/${agentId}?section=tools`)
  const section = page.getByTestId('other-tools')
  for (const [kind, name] of [
    ['mcp', 'docs'],
    ['plugin', 'weather'],
    ['catalog', 'greet']
  ] as const) {
    const entry = page.getByTestId(`add-${kind}`)
    if (!(await entry.isVisible())) await page.getByTestId('tool-library').locator('summary').press('Enter')
    await entry.press('Enter')
    const row = section.locator(`[data-tool-kind="${kind}"]`)
    await row.getByRole('combobox').first().press('Enter')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(row.locator('summary')).toContainText(name)
  }
  for (const tool of ['search', 'read']) {
    await section
      .locator('[data-tool-kind="mcp"]')
      .getByTestId('picks-tools')
      .getByRole('combobox')
      .press('Enter')
    await page.keyboard.type(tool)
    await page.keyboard.press('Enter')
  }
  await expect
    .poll(
      async () =>
        (await api<{ draft: { config: unknown } | null }>('GET', `/api/agents/${agentId}/draft`)).draft
          ?.config
    )
    .toMatchObject({
      chat: {
        tools: [
          { mcp: 'docs', approval: 'ask', tools: ['search', 'read'] },
          { plugin: 'weather', approval: 'ask' },
          { '@ag.embed': { '@ag.references': { workflow: { slug: 'greet' } } }, approval: 'ask' }
        ]
      }
    })
})
