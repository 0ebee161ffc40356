import { expect, type Page } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { startTestPlugin } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { test } from './test.ts'

/** Opens the form that adds a plugin, and reads the manifest at an address. */
async function readManifest(page: Page, source: string) {
  await page.goto('/plugins')
  await page.getByTestId('open-add-plugin').press('Enter')
  const form = page.getByTestId('plugin-address')
  await form.getByRole('textbox').first().fill(source)
  await form.getByRole('textbox').first().press('Enter')
}

test('003-3: an owner adds a plugin by its address, gives its tool to an agent, disables it and removes it', async ({
  page,
  id
}) => {
  const name = id('added')
  const plugin = await startTestPlugin({
    name,
    hook: () => undefined,
    fields: 'field "unit" {\n type = "string"\n required = true\n }'
  })
  try {
    await readManifest(page, `remote://127.0.0.1:${plugin.port}`)
    await expect(page.getByTestId('plugin-review')).toContainText(name)
    await expect(page.getByTestId('capabilities').locator('dt')).toHaveCount(2)
    await expectAccessible(page)
    await page.getByTestId('add-plugin').click()
    const unit = page.locator('[data-setting="unit"]')
    await expect(unit.getByTestId('field-error')).toBeVisible()
    await unit.getByRole('textbox').fill('metric')
    await page.getByTestId('add-plugin').press('Enter')
    await page.waitForURL(new RegExp(`/plugins/${name}$`))
    const state = page.getByTestId('plugin-state')
    await expect(state).toHaveAttribute('data-state', 'serving', { timeout: 20_000 })
    expect(plugin.registered.at(-1)?.config).toEqual({ unit: 'metric' })
    await expectAccessible(page)

    await page.getByTestId('read-manifest').click()
    await expect(page.getByTestId('manifest-changes')).not.toBeEmpty()
    await page.getByTestId('toggle-plugin').press('Enter')
    await expect(state).toHaveAttribute('data-state', 'stopped')
    await expect(page.getByTestId('give-to-agents')).toHaveCount(0)
    await page.getByTestId('toggle-plugin').press('Enter')
    await expect(state).toHaveAttribute('data-state', 'serving', { timeout: 20_000 })

    await page.getByTestId('give-to-agents').locator('..').getByTestId('add-to-agent').click()
    await page.getByTestId('add-to-draft').click()
    await page.waitForURL(/\/agents\//)
    await expect(page.getByRole('main')).toContainText(name)

    await page.goto(`/plugins/${name}`)
    await page.getByTestId('remove-plugin').click()
    await expect(page.getByRole('dialog')).toContainText(name)
    await page.getByTestId('confirm').click()
    await page.waitForURL(/\/plugins$/)
    await expect(page.getByTestId('plugins').getByRole('link', { name, exact: true })).toHaveCount(0)
  } finally {
    await plugin.stop()
  }
})

test('the dialog that gives tools says which agents have which ones, and adds only the missing ones', async ({
  page,
  api,
  id
}) => {
  const [name, some, none] = [id('sums'), id('some'), id('none')]
  const tools = ['sum', 'ask'].map(tool => ({ name: tool, description: tool, parametersJsonSchema: '' }))
  const plugin = await startTestPlugin({ name, tools })
  try {
    for (const agentId of [some, none])
      await api('POST', '/api/agents', {
        agentId,
        displayName: agentId,
        chat: { tools: agentId === some ? [{ plugin: name, tools: ['sum'], approval: 'auto' }] : [] }
      })
    await readManifest(page, `remote://127.0.0.1:${plugin.port}`)
    await page.getByTestId('add-plugin').click()
    await page.waitForURL(new RegExp(`/plugins/${name}$`))
    await expect(page.getByTestId('plugin-state')).toHaveAttribute('data-state', 'serving', {
      timeout: 20_000
    })
    await page.reload()
    const dialog = page.getByRole('dialog')
    const add = async () => {
      await page.getByTestId('give-to-agents').locator('..').getByTestId('add-to-agent').click()
      await dialog.getByRole('combobox').selectOption(some)
    }
    await add()
    await expect(dialog.locator(`[data-agent="${some}"]`)).toContainText('sum')
    await expect(dialog.locator(`[data-agent="${some}"]`)).not.toContainText('ask')
    await expect(dialog.locator(`[data-agent="${none}"]`)).toHaveCount(0)
    await expectAccessible(page)
    await dialog.getByTestId('add-to-draft').click()
    await page.waitForURL(new RegExp(`/agents/${some}$`))
    expect(await api('GET', `/api/agents/${some}/draft`)).toMatchObject({
      draft: {
        config: {
          chat: {
            tools: [
              { plugin: name, tools: ['sum'], approval: 'auto' },
              { plugin: name, tools: ['ask'], approval: 'ask' }
            ]
          }
        }
      }
    })
    await page.goto(`/plugins/${name}`)
    await add()
    await dialog.getByTestId('add-to-draft').click()
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await page.keyboard.press('Escape')
    await page.getByTestId('remove-plugin').click()
    await page.getByTestId('confirm').click()
    await page.waitForURL(/\/plugins$/)
  } finally {
    await plugin.stop()
  }
})

test('003-3: a new capability is shown on the page of the plugin, and used after an owner accepts it', async ({
  page,
  api,
  id
}) => {
  const name = id('grows')
  const [small, large] = [
    await startTestPlugin({ name }),
    await startTestPlugin({ name, views: [{ name: 'board', label: 'Board' }] })
  ]
  try {
    await readManifest(page, `remote://127.0.0.1:${small.port}`)
    await page.getByTestId('add-plugin').click()
    await page.waitForURL(new RegExp(`/plugins/${name}$`))
    await page.getByTestId('change-address').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('nonsense')
    await dialog.getByTestId('save').click()
    await expect(dialog.getByTestId('field-error')).toBeVisible()
    await dialog.getByRole('textbox').first().fill(`remote://127.0.0.1:${large.port}`)
    await dialog.getByTestId('save').click()
    await expect(page.getByTestId('withheld')).toBeVisible({ timeout: 20_000 })
    await page.getByTestId('read-manifest').click()
    await expect(page.getByTestId('plugin-review')).toBeVisible()
    await expectAccessible(page)
    await page.getByTestId('accept-plugin').click()
    await expect(page.getByTestId('withheld')).toHaveCount(0, { timeout: 20_000 })
    await expect(page.getByRole('main')).toContainText('board')
  } finally {
    await api('DELETE', `/api/plugins/added/${name}`)
    await Promise.all([small.stop(), large.stop()])
  }
})

test('003-3: an address that cannot be read shows the reason at the field', async ({ page, plugins: _ }) => {
  await readManifest(page, 'remote://10.0.0.1:9010')
  await expect(page.getByTestId('plugin-address').getByTestId('field-error')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByTestId('add-plugin')).toHaveCount(0)
})
