import { expect, key, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'

test('003-11: a person hands a session to another agent, sees who speaks in every tab, and takes it back', async ({
  page,
  context
}) => {
  const agents = [
    { agentId: 'front-desk', displayName: 'Front desk', chat: { handoffs: ['back-office'] } },
    { agentId: 'back-office', displayName: 'Back office', description: 'Knows the files.', chat: {} }
  ]
  for (const data of agents)
    expect((await page.request.post('/api/agents', { headers: key, data })).ok()).toBe(true)
  const made = await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'front-desk' }
  })
  const { sessionId } = (await made.json()).result
  await page.goto(`/sessions/${sessionId}`)
  const other = await context.newPage()
  await other.goto(`/sessions/${sessionId}`)

  const message = page.getByRole('textbox', { name: /^Message to/ })
  await message.fill('use handoff_to_back-office {"reason": "It is about a file."}')
  await page.keyboard.press('ControlOrMeta+Enter')
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await expect(transcript.getByText('Handed to Back office by Front desk: It is about a file.')).toBeVisible()
  for (const tab of [page, other]) {
    await expect(tab.getByText('Front desk → Back office')).toBeVisible()
    await expect(tab.getByRole('textbox', { name: 'Message to Back office' })).toBeVisible()
  }

  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Message to Back office' })).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Hand over…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand this session over' })
  await expect(dialog.getByRole('button', { name: 'Hand over' })).toBeDisabled()
  await dialog.getByRole('radio', { name: /Front desk/ }).check()
  await expect(dialog.getByRole('radio', { name: /Back office/ })).toHaveCount(0)
  await looksWell(page)
  await dialog.getByRole('textbox').fill('Nothing to file.')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(dialog).toBeHidden()
  await expect(other.getByRole('textbox', { name: 'Message to Front desk' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Message to Front desk' }).fill('hello')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(transcript.getByText(/^Handed to Front desk by Local owner: Nothing to file\.$/)).toBeVisible()
})
