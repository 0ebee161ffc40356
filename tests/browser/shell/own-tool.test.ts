import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '#tests/browser/test.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

test.use({ signedIn: false })

/** Follows the section of the README, with its file, its setting and its message. */
test('003-19: the tool of the README is given to an agent, asks for approval, and runs', async ({ page }) => {
  const readme = await readFile('README.md', 'utf8')
  const [, file = ''] = /`tools\/([\w-]+\.ts)`/.exec(readme) ?? []
  const code = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, text]) => text ?? '')
    .find(text => text.includes('defineTool'))
  const [, message = ''] = /`(use refund-order .*?)`/.exec(readme) ?? []
  expect(readme).toContain('\nWAYSTATION_TOOLS=./tools npm start\n')
  const folder = await mkdtemp(join(tmpdir(), 'waystation-tools-'))
  await writeFile(join(folder, file), code ?? '')
  const server = await startServer({ WAYSTATION_TOOLS: folder })
  try {
    await page.goto(server.link)
    await page.getByTestId('continue-as-local-owner').click()
    await page.waitForURL(/\/sessions\/welcome$/)
    await page.goto(`${server.url}/agents/guide?section=tools`)
    await page.getByTestId('tool-library').locator('summary').click()
    const tool = page.locator('[data-tool="refund-order"]')
    await expect(tool.getByTestId('tool-source')).toContainText(file)
    await tool.getByTestId('add-tool').click()
    await page.getByTestId('review-draft').click()
    await page.getByRole('dialog').getByTestId('publish-revision').click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goto(`${server.url}/sessions/welcome`)
    await page.locator('[data-composer]').fill(message)
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByTestId('dock').getByTestId('approve-call').click()
    const replies = page.locator('[data-hook="message-bubble"][data-role="assistant"]')
    await expect(replies.last()).toContainText('"refunded"')
  } finally {
    await page.close()
    await server.stop()
    await rm(folder, { recursive: true })
  }
})
