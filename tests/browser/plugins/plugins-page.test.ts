import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startTwin, type Twin } from '#tests/support/plugins/start-twin.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'plugins-page-'))
let server: TestServer
let twin: Twin
test.beforeAll(async () => {
  const tools = ['forecast', 'almanac'].map(name => ({
    name,
    description: `Says the ${name} of a place.`,
    parametersJsonSchema: name === 'almanac' ? '{"type":' : ''
  }))
  twin = await startTwin({ name: 'weather', tools, metadata: { version: '1.2.0' }, hook: () => undefined })
  writeFileSync(join(folder, 'broken'), '#!/bin/sh\necho "There is no API key." >&2\nexit 1\n')
  chmodSync(join(folder, 'broken'), 0o755)
  writeFileSync(
    join(folder, 'default.hcl'),
    `workspace "default" {
      plugin "weather" { source = "remote://127.0.0.1:${twin.port}" }
      plugin "broken"  { source = "local://broken" }
    }`
  )
  server = await startServer({
    WAYSTATION_WORKSPACES: folder,
    WAYSTATION_PLUGIN_FOLDER: folder,
    WAYSTATION_EGRESS_ALLOW: '127.0.0.1'
  })
})
test.afterAll(async () => {
  await server.stop()
  await twin.stop()
  rmSync(folder, { recursive: true })
})

async function signIn(page: Page) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
}

test('003-3, 003-4: plugins are seen as they stand, without a reload; what one wrote is read, and it is restarted', async ({
  page
}) => {
  await signIn(page)
  await page.getByRole('link', { name: 'Plugins' }).click()
  await page.waitForURL(/\/plugins$/)
  const list = page.getByRole('list', { name: 'Plugins' })
  const weather = list.getByRole('listitem').filter({ hasText: 'weather' })
  await expect(weather).toContainText('Serving.')
  await expect(weather).toContainText('1 tool and hooks')
  await expect(weather).toContainText('1 left out')
  await expect(list.getByRole('listitem').filter({ hasText: 'broken' })).toContainText('Failed: ', {
    timeout: 30_000
  })
  await looksWell(page)

  await list.getByRole('link', { name: 'broken' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Lines of the log' })).toContainText('There is no API key.')
  await looksWell(page)
  writeFileSync(join(folder, 'broken'), '#!/bin/sh\necho "Another fault." >&2\nexit 1\n')
  await page.getByRole('button', { name: 'Restart' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Lines of the log' })).toContainText('Another fault.')

  await page.setViewportSize({ width: 1280, height: 844 })
  await page.getByRole('link', { name: '‹ Plugins' }).click()
  await list.getByRole('link', { name: 'weather' }).click()
  await expect(page.getByText('almanac is left out:')).toBeVisible()
  await expect(page.getByText('It hears of all nine events.')).toBeVisible()
  await page.getByRole('button', { name: 'Restart' }).dblclick()
  await expect(page.getByText(/started again 1 time/)).toBeVisible()
  await looksWell(page)
})

test('003-4: a plugin that is not there is a page that says so', async ({ page }) => {
  await signIn(page)
  await page.goto(`${server.url}/plugins/none`)
  await expect(page.getByRole('heading', { name: 'Nothing stops here' })).toBeVisible()
})
