import { scriptFault } from '#lib/net/programs/open-scripts.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
let boxed: boolean
test.beforeAll(async () => {
  boxed = (await scriptFault()) === undefined
  server = await startServer({ WAYSTATION_ZX: '1' })
})
test.afterAll(() => server.stop())

const headers = () => ({ authorization: `Bearer ${server.apiKey}` })

async function signIn(page: Page) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
}

/** A session whose agent asks to run this script. */
async function asking(page: Page, sessionId: string, script: string) {
  const agent = {
    agentId: 'scripter',
    displayName: 'Scripter',
    chat: { model: 'demo/demo', tools: [{ name: 'zx-script' }] }
  }
  await page.request.post(`${server.url}/api/agents`, { data: agent, headers: headers() })
  await page.request.post(`${server.url}/api/plugins/sessions/operations/create`, {
    data: { agentId: 'scripter', sessionId },
    headers: headers()
  })
  const text = `use zx-script ${JSON.stringify({ script })}`
  await page.request.post(`${server.url}/api/sessions/${sessionId}/messages`, {
    data: { text },
    headers: headers()
  })
  await page.goto(`${server.url}/sessions/${sessionId}`)
}

test('001-20: zx-script: its card shows the script as it runs, with what would not show; it is edited as text, and its result is read', async ({
  page
}) => {
  await signIn(page)
  // Where no sandbox is to be had that is what is seen.
  if (!boxed) {
    await page.goto(`${server.url}/agents/new`)
    return expect(page.getByText('They are never run without a sandbox.')).toBeVisible()
  }
  const long = Array.from({ length: 60 }, (_, at) => `console.log('line ${at}')`).join('\n')
  await asking(page, 'scripts', `// safe\u202e\n${long}\n`)
  const card = page.locator('[data-call][data-place="dock"]')
  await expect(card.getByRole('heading', { name: 'Run a script' })).toBeVisible()
  const code = card.getByRole('region', { name: 'Script, for 30 s at most' })
  await expect(code.locator('mark')).toHaveText('U+202E')
  await expect(code).toContainText("console.log('line 0')\nconsole.log('line 1')")
  await expect(code).toContainText("console.log('line 59')")
  await expect(card.getByText('One character of it would not show')).toBeVisible()
  await expect(card.getByLabel('This approval holds')).toHaveCount(0)
  await looksWell(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await card.getByRole('button', { name: 'Edit…' }).click()
  const field = card.getByRole('textbox', { name: /The script/ })
  await expect(field).toHaveValue(/^\/\/ safe/)
  await field.fill('console.log("edited", 6 * 7)')
  await card.getByRole('button', { name: 'Run it, edited' }).click()
  await page.getByRole('button', { name: /approved by Local owner/ }).click()
  await expect(page.getByRole('region', { name: 'Script, as edited' })).toHaveText(
    'console.log("edited", 6 * 7)'
  )
  await expect(page.getByRole('region', { name: 'What it printed' })).toHaveText('edited 42')
  await expect(page.getByText(/It ended with exit code 0 after/)).toBeVisible()
  await looksWell(page)
})

test('001-20: zx-script: the settings say why its calls are asked about all the same, and an agent’s page that nothing else can be chosen', async ({
  page
}) => {
  await signIn(page)
  await page.goto(`${server.url}/settings`)
  const rules = page.getByRole('region', { name: 'Tool rules' })
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await expect(rules.getByText('have no effect on zx-script')).toHaveCount(0)
  await rules.getByLabel('Tool', { exact: true }).fill('zx-script')
  await expect(rules.getByText('have no effect on zx-script')).toBeVisible()
  await page.goto(`${server.url}/agents/new`)
  const approval = page.getByLabel('Approval of zx-script')
  await expect(approval).toHaveValue('ask')
  if (boxed) await page.getByRole('checkbox', { name: /^zx-script/ }).check()
  await expect(approval).toBeDisabled()
})

test('001-20: zx-script: a server without it says so where an agent gets its tools', async ({ page }) => {
  const off = await startServer()
  try {
    await page.goto(`${off.url}/sign-in`)
    await page.getByRole('button', { name: 'Continue as local owner' }).click()
    await page.waitForURL(/\/sessions\/welcome$/)
    await page.goto(`${off.url}/agents/new`)
    await expect(page.getByText('can switch them on with WAYSTATION_ZX=1')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /^zx-script/ })).toBeDisabled()
  } finally {
    await off.stop()
  }
})
