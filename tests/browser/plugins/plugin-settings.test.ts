import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startTwin, type Twin } from '#tests/support/plugins/start-twin.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'plugin-settings-'))
const cities = ['Milan', 'Naples', 'Rome']
let server: TestServer
let twin: Twin
let elsewhere: Server
test.beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    const q = new URL(request.url ?? '', 'http://localhost').searchParams.get('q') ?? ''
    const found = cities.filter(name => name.toLowerCase().includes(q.toLowerCase()))
    response.end(JSON.stringify(found.map(label => ({ value: label.toLowerCase(), label }))))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => elsewhere.once('listening', resolve))
  twin = await startTwin({
    name: 'weather',
    fields: `
      field "api_key_env" {
        type        = "string"
        required    = true
        placeholder = "WEATHER_KEY"
      }
      field "unit" {
        type    = "string"
        ui_type = "radio"
        options = ["celsius", "fahrenheit"]
        default = "celsius"
      }
      field "retries" {
        type        = "number"
        default     = "3"
        description = "How often a call that failed is made again."
      }
      field "language" {
        type    = "string"
        options = ["English", "Italian", "Norwegian"]
      }
      field "city" {
        type       = "string"
        api_source = "http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/"
      }
      field "debug" { type = "bool" }
      field "region" { type = "string" }`
  })
  writeFileSync(
    join(folder, 'default.hcl'),
    `workspace "default" {
      plugin "weather" {
        source = "remote://127.0.0.1:${twin.port}"
        config { region = "europe" }
      }
    }`
  )
  server = await startServer({ WAYSTATION_WORKSPACES: folder, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
})
test.afterAll(async () => {
  await server.stop()
  await twin.stop()
  elsewhere.close()
  rmSync(folder, { recursive: true })
})

async function signIn(page: Page) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
}

test('003-5, 003-7, 003-8: the form that a manifest describes is filled in by keyboard; what is wrong stands at its field, and what is saved reaches the plugin', async ({
  page
}) => {
  await signIn(page)
  await page.goto(`${server.url}/settings`)
  await page.getByRole('link', { name: 'weather' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  // Its value stays in the file, where it may be a secret.
  await expect(page.getByText('region · set by the workspace’s file')).toBeVisible()
  await expect(page.getByLabel(/region/)).toHaveValue('')
  await expect(page.getByLabel(/region/)).not.toBeEditable()
  await expect(page.getByRole('radio', { name: 'celsius' })).toBeChecked()
  await looksWell(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByLabel('retries').fill('many')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Not a number.')).toBeVisible()
  await expect(page.getByText('Required.')).toBeVisible()
  await expect(page.getByLabel('retries')).toHaveAttribute('aria-invalid', 'true')
  await looksWell(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByLabel('retries').fill('5')
  await page.getByLabel(/api_key_env/).fill('KEY')
  const language = page.getByRole('combobox', { name: 'language' })
  await language.press('ArrowDown')
  await language.pressSequentially('nor')
  await expect(page.getByRole('option')).toHaveText(['Norwegian'])
  await language.press('ArrowDown')
  await language.press('Enter')
  await expect(language).toHaveValue('Norwegian')
  const city = page.getByRole('combobox', { name: 'city' })
  await city.click()
  await expect(page.getByRole('option')).toHaveText(cities)
  await looksWell(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await city.pressSequentially('om')
  await expect(page.getByRole('option')).toHaveText(['Rome'])
  await page.getByRole('option', { name: 'Rome' }).click()
  await expect(city).toHaveValue('Rome')
  await page.getByRole('radio', { name: 'fahrenheit' }).check()
  await page.getByRole('checkbox', { name: 'debug' }).check()
  await page.getByRole('button', { name: 'Save settings' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible()
  await expect
    .poll(() => twin.registered.at(-1)?.config)
    .toEqual({
      api_key_env: 'KEY',
      unit: 'fahrenheit',
      retries: '5',
      language: 'Norwegian',
      city: 'rome',
      debug: 'true',
      region: 'europe'
    })
  await page.reload()
  await expect(page.getByLabel(/api_key_env/)).toHaveValue('KEY')
  await expect(page.getByRole('radio', { name: 'fahrenheit' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled()
})
