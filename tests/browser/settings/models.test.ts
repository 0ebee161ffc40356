import type { Models } from '@waystation/protocol/workspace/models.ts'
import { expect, test } from '#tests/browser/test.ts'

// The tests of a worker share a server.
test.afterEach(async ({ api }) => {
  await api('PUT', '/api/workspace', { defaultModel: null })
  for (const { name, source } of (await api<Models>('GET', '/api/models')).providers)
    if (source === 'workspace') await api('DELETE', `/api/models/providers/${name}`)
})

test('an owner adds, edits and removes a model provider, and its key is never shown', async ({
  page,
  api
}) => {
  await page.goto('/settings/models')
  const section = page.getByTestId('models')
  const rows = section.getByRole('list', { name: 'Model providers' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await section.getByTestId('add-provider').click()
  const form = page.getByTestId('provider-form')
  await form.locator('[name="providerKind"]').selectOption('anthropic')
  await form.getByTestId('save-provider').click()
  await expect(form.getByTestId('field-error')).toHaveCount(1)
  await form.locator('[name="apiKey"]').fill('key-of-ours')
  await form.locator('[name="apiKey"]').press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(form).toHaveCount(0)
  await expect(rows.last()).toContainText('demo/')
  expect(await page.content()).not.toContain('key-of-ours')

  await section.getByTestId('edit-provider').click()
  await expect(form.locator('[name="apiKey"]')).toHaveValue('')
  await form.locator('[name="baseUrl"]').fill('https://models.example/v1')
  await form.getByTestId('save-provider').click()
  await expect(form.getByRole('alert').filter({ hasText: /secret/ })).toBeVisible()
  await form.locator('[name="apiKey"]').fill('key-of-ours')
  await form.getByTestId('save-provider').click()
  await expect(form).toHaveCount(0)
  const { providers } = await api<Models>('GET', '/api/models')
  expect(providers.find(({ name }) => name === 'anthropic')).toMatchObject({
    values: { baseUrl: 'https://models.example/v1' },
    secrets: ['apiKey']
  })

  await section.getByTestId('remove-provider').click()
  await page.getByRole('dialog').getByTestId('confirm').click()
  await expect(rows).toHaveCount(1)
})

test('an owner names an OpenAI-compatible server, tests a model and sets the default, by keyboard', async ({
  page,
  api
}) => {
  await page.goto('/settings/models')
  const section = page.getByTestId('models')
  await section.getByTestId('add-provider').press('Enter')
  const form = page.getByTestId('provider-form')
  await form.locator('[name="providerKind"]').selectOption('openai-compatible')
  await form.locator('[name="providerName"]').fill('my-server')
  await form.locator('[name="baseUrl"]').fill('https://models.example/v1')
  await form.locator('[name="baseUrl"]').press('Enter')
  await expect(form).toHaveCount(0)
  await expect(section.getByTestId('add-provider')).toBeFocused()

  const standard = page.getByTestId('default-model')
  const fields = standard.getByRole('combobox')
  await expect(fields.first()).toContainText('demo/demo')
  await standard.getByTestId('test-model').click()
  await expect(standard.getByTestId('model-test')).toContainText('demo/demo')

  await fields.first().press('Enter')
  await page.keyboard.type('my-server/llama')
  await page.keyboard.press('Enter')
  await expect(fields.first()).toHaveText('my-server/llama')
  await standard.getByTestId('test-model').click()
  await expect(standard.getByTestId('model-test')).toHaveAttribute('data-outcome', 'failed')
  await standard.getByTestId('save').press('Enter')
  await expect
    .poll(async () => (await api<Models>('GET', '/api/models')).defaultModel)
    .toBe('my-server/llama')
})

test('the default model says if its provider does not list it, and the list marks the selected model', async ({
  page,
  api
}) => {
  await api('PUT', '/api/workspace', { defaultModel: 'demo/other' })
  await page.goto('/settings/models')
  const row = page.getByTestId('default-model')
  const field = row.getByRole('combobox')
  await expect(row).toContainText('Demo model')
  await field.click()
  await page.getByRole('option', { name: 'demo/demo', exact: true }).click()
  await expect(row).not.toContainText('Demo model')
  await field.click()
  await expect(page.getByRole('option').filter({ has: page.locator('svg') })).toHaveText('demo/demo')
})

test('each provider has a test, whose result is in its row', async ({ page, api }) => {
  const values = { baseUrl: 'http://127.0.0.1:9/v1' }
  await api('PUT', '/api/models/providers/my-server', { kind: 'openai-compatible', values })
  await page.goto('/settings/models')
  const rows = page.getByRole('list', { name: 'Model providers' }).getByRole('listitem')
  const [demo, own] = ['demo/demo', 'my-server/'].map(hasText => rows.filter({ hasText }))
  await demo!.getByTestId('test-provider').click()
  await expect(demo!.getByTestId('model-test')).toHaveAttribute('data-outcome', 'works')

  await expect(own!.getByTestId('test-provider')).toBeDisabled()
  await own!.getByRole('textbox').fill('llama')
  await own!.getByTestId('test-provider').press('Enter')
  await expect(own!.getByTestId('model-test')).toHaveAttribute('data-outcome', 'failed')
  await expect(demo!.getByTestId('model-test')).toHaveAttribute('data-outcome', 'works')
})

test('an editor selects a known model for an agent, or types another one', async ({ page, api, id }) => {
  const agentId = id('modern')
  await api('POST', '/api/agents', { agentId, displayName: 'Modern' })
  await page.goto(`/agents/${agentId}`)
  const model = page.getByTestId('agent-form').getByRole('combobox').first()
  await expect(model).toContainText('demo/demo')
  await model.press('Enter')
  await page.keyboard.type('openai/gpt-9')
  await page.keyboard.press('Enter')
  await page.getByTestId('model-settings').getByText('Model parameters').click()
  await page.getByTestId('reasoning-effort').selectOption('high')
  const stored = async () =>
    (await api<{ draft: { config: object } | null }>('GET', `/api/agents/${agentId}/draft`)).draft?.config
  await expect
    .poll(stored)
    .toMatchObject({ chat: { model: 'openai/gpt-9', parameters: { reasoning: 'high' } } })
})
