import { expect, test } from '#tests/browser/test.ts'
import { isPublished } from '#tests/support/servers/publish-agent.ts'
import { isDraftSaved, openAgent, openSection } from './open-agent.ts'

test('parameters, price, timeouts, settings of a tool and starters are set without JSON, and survive a reload', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'wiki-search' }, { name: 'web-fetch' }] } })
  const field = (name: string) => page.locator(`[name="${name}"]`)
  await page.getByTestId('model-settings').locator('summary').click()
  await field('chat.parameters.temperature').fill('0.5')
  await field('chat.price.inputPerMillion').fill('1')
  await field('chat.price.outputPerMillion').fill('2,5')
  await field('chat.attachments.images').selectOption('no')
  const starter = (part: string, index: number) => page.getByLabel(`${part} of starter ${index}`)
  for (const [index, [label, text]] of [
    ['Plants', 'Which plants are there?'],
    ['', 'Hello']
  ].entries()) {
    await page.getByTestId('add-starter').click()
    await starter('Text', index + 1).fill(text ?? '')
    if (label) await starter('Label', index + 1).fill(label)
  }
  await openSection(page, 'limits')
  await field('chat.toolSettings.retry.maxAttempts').fill('2')
  await openSection(page, 'tools')
  const wiki = page.locator('[data-tool="wiki-search"]').getByTestId('tool-settings')
  await wiki.locator('summary').click()
  const wikis = page.getByTestId('picks-builtIn.wiki-search.wikis')
  for (const name of ['garden', 'handbook']) {
    await wikis.getByRole('combobox').press('Enter')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(wikis.getByRole('combobox')).toBeFocused()
  }
  await expect(wikis.getByRole('listitem').filter({ hasText: 'handbook' })).toContainText('not in this')
  await field('builtIn.wiki-search.timeoutSeconds').fill('9')
  await field('builtIn.wiki-search.duration').fill('1')
  await expect(wiki.locator('summary')).toContainText('3')
  await page.getByTestId('review-draft').click()
  await page.getByRole('dialog').getByTestId('publish-revision').click()
  await isPublished(page, 2)
  const { chat } = await api<{ chat: object }>('GET', `/api/agents/${agentId}`)
  expect(chat).toMatchObject({
    parameters: { temperature: 0.5 },
    price: { inputPerMillion: 1, outputPerMillion: 2.5 },
    attachments: { images: false },
    toolSettings: { retry: { maxAttempts: 2 } },
    tools: [
      { name: 'wiki-search', wikis: ['garden', 'handbook'], timeoutSeconds: 9, duration: 1 },
      { name: 'web-fetch' }
    ],
    starters: [
      { label: 'Plants', text: 'Which plants are there?' },
      { label: 'Hello', text: 'Hello' }
    ]
  })
  await page.goto(`/agents/${agentId}?section=tools`)
  await page.locator('[data-tool="wiki-search"]').getByTestId('tool-settings').locator('summary').click()
  await expect(wikis.getByRole('listitem')).toHaveCount(2)
  await openSection(page, 'setup')
  await expect(starter('Label', 1)).toHaveValue('Plants')
  await expect(starter('Text', 2)).toHaveValue('Hello')
})

test('a time span is typed in a unit of its own, and Reset brings back the default', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await openSection(page, 'limits')
  const timeout = page.locator('[name="chat.toolSettings.batchTimeoutSeconds"]')
  const row = page.locator('div').filter({ has: timeout }).last()
  const stored = async () => {
    await isDraftSaved(page)
    const { draft } = await api<{ draft: { config: { chat: object } } }>(
      'GET',
      `/api/agents/${agentId}/draft`
    )
    return draft.config.chat
  }
  await expect(timeout).toHaveAttribute('placeholder', '2')
  await row.getByRole('combobox').selectOption('hours')
  await timeout.fill('0.5')
  expect(await stored()).toMatchObject({ toolSettings: { batchTimeoutSeconds: 1800 } })
  await row.getByRole('combobox').selectOption('minutes')
  await expect(timeout).toHaveValue('0.5')
  expect(await stored()).toMatchObject({ toolSettings: { batchTimeoutSeconds: 30 } })
  const expiry = page.locator('[name="outOfBand.ttlSeconds"]')
  await page.locator('div').filter({ has: expiry }).last().getByRole('combobox').selectOption('never')
  await row.getByTestId('reset-amount').press('Enter')
  await expect(timeout).toBeFocused()
  await expect(timeout).toHaveValue('')
  expect(await stored()).not.toHaveProperty('toolSettings')
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({
    draft: { config: { outOfBand: { ttlSeconds: null } } }
  })
})

test('an invalid setting of a tool is reported at its field, whose group opens', async ({
  page,
  api,
  id
}) => {
  await openAgent({ page, api, agentId: id('agent'), config: { tools: [{ name: 'web-fetch' }] } })
  await openSection(page, 'tools')
  const settings = page.locator('[data-tool="web-fetch"]').getByTestId('tool-settings')
  await settings.locator('summary').click()
  await page.locator('[name="builtIn.web-fetch.timeoutSeconds"]').fill('5000')
  await settings.locator('summary').click()
  await openSection(page, 'setup')
  await page.getByTestId('show-errors').click()
  const timeout = page.locator('[name="builtIn.web-fetch.timeoutSeconds"]')
  await expect(timeout).toHaveAttribute('aria-invalid', 'true')
  await expect(timeout).toBeFocused()
})

test('the JSON tab shows and saves the whole configuration, and the form shows the same values', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'web-fetch' }] } })
  await page.locator('[name="displayName"]').fill('Renamed')
  await openSection(page, 'json')
  const json = page.locator('[name="json"]')
  await expect(json).toHaveValue(/"displayName": "Renamed"/)
  const config = JSON.parse(await json.inputValue())
  await json.fill('{')
  await openSection(page, 'setup')
  await expect(json).toHaveValue('{')
  await expect(json).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'refused')

  await json.fill(JSON.stringify({ ...config, chat: { ...config.chat, instructions: 'Be kind.' } }))
  await isDraftSaved(page)
  // The text stays as typed.
  await expect(json).toHaveValue(/"instructions":"Be kind\."/)
  await page.getByTestId('section-setup').press('Enter')
  await expect(page.locator('[name="chat.instructions"]')).toHaveValue('Be kind.')
  await expect(page.locator('[name="displayName"]')).toHaveValue('Renamed')
  await page.locator('[name="chat.instructions"]').fill('Be brief again.')
  await openSection(page, 'json')
  await expect(json).toHaveValue(/"instructions": "Be brief again\."/)
})

test('an agent that can take over is picked by name and removed again, and Approvals changes which calls ask', async ({
  page,
  api,
  id
}) => {
  const [agentId, billing] = [id('agent'), id('billing')]
  await api('POST', '/api/agents', { agentId: billing, displayName: billing })
  const tools = [{ name: 'web-fetch', approval: 'ask' }, { name: 'ask-question' }]
  await api('POST', '/api/agents', { agentId, displayName: agentId, chat: { tools } })
  await page.goto(`/agents/${agentId}?section=approvals`)
  const rows = page.getByTestId('asking-tools').getByRole('listitem')
  await expect(rows).toHaveText([/^web-fetch/, /^ask-question/])
  // A person answers each call of the other tool.
  await expect(rows.getByRole('combobox')).toHaveCount(1)
  await rows.getByRole('combobox').selectOption('auto')
  await openSection(page, 'tools')
  await expect(page.locator('[data-tool="web-fetch"]').getByRole('combobox')).toHaveValue('auto')
  await openSection(page, 'setup')
  const picks = page.getByTestId('picks-chat.handoffs')
  const stored = async () =>
    (await api<{ draft: { config: { chat: object } } | null }>('GET', `/api/agents/${agentId}/draft`)).draft
      ?.config.chat
  await picks.getByRole('combobox').press('Enter')
  await page.keyboard.type(billing)
  await page.keyboard.press('Enter')
  await expect(picks.getByRole('listitem')).toHaveText([billing])
  await expect.poll(stored).toMatchObject({ handoffs: [billing] })
  await picks.getByRole('button').press('Enter')
  await expect(picks.getByRole('combobox')).toBeFocused()
  await expect(picks.getByRole('listitem')).toHaveCount(0)
})
