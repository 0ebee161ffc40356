import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, type Page, test } from '#tests/browser/test.ts'

/** A session of the demo model whose context is so small that a few messages fill it, and its page. */
async function filled(page: Page): Promise<string> {
  const agentId = `terse-${randomUUID().slice(0, 8)}`
  const config = {
    agentId,
    displayName: 'Terse',
    chat: { tools: [{ name: 'summary' }], limits: { contextTokens: 4000 } }
  }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  for (let n = 0; n < 12; n++) {
    const text = `say Order ${n} is ${'long'.repeat(250)}`
    await page.request.post(`/api/sessions/${agentId}/messages`, {
      headers: key,
      data: { text, whenBusy: 'queue' }
    })
  }
  await page.goto(`/sessions/${agentId}`)
  return agentId
}

test('001-17: what was summarised is a calm row that opens to its summary, and goes back into the prompt with one click; 001-20: a final answer reads as prose', async ({
  page
}) => {
  const id = await filled(page)
  const row = page.locator('[data-compaction]').last()
  await expect(row).toContainText(/\d+ messages? summarised · [\d.]+k? → [\d.]+k? tokens/)
  // Between two turns it is idle too, and the next one may move the window again.
  await expect(page.getByRole('paragraph').filter({ hasText: /^Order 11 is/ })).toBeVisible()
  await expect
    .poll(
      async () =>
        (await (await page.request.get(`/api/sessions/${id}`, { headers: key })).json()).session.status
    )
    .toBe('idle')
  await row.getByRole('button', { name: /summarised/ }).click()
  await expect(row).toContainText('asked: “say Order')
  await expect(row).toContainText('By the model')

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 844 })
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }

  await row.getByRole('button', { name: 'Put back into the prompt' }).click()
  await expect(row).toContainText(/Back in the prompt since|They do not fit/)

  await page.getByLabel('Message to Terse').fill('use summary {"answer": "It is 42."}')
  await page.keyboard.press('Enter')
  // Its call has the same words for a moment, while it is being written.
  await expect(page.getByRole('paragraph').filter({ hasText: /^It is 42\.$/ })).toBeVisible()
  await expect(page.locator('[data-row]').getByRole('button', { name: /^summary/ })).toHaveCount(0)

  await page.goto(`/sessions/${id}?inspect=context`)
  await expect(page.getByRole('list', { name: 'What the model is shown' })).toBeVisible()
})
