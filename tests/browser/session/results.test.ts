import { expect, test } from '#tests/browser/test.ts'
import { startSession, typeMessage } from './start-session.ts'

test('a list of objects that a tool returns is a table, and a button shows the JSON', async ({
  page,
  api,
  id
}) => {
  const agentId = id('lister')
  const chat = { tools: [{ name: 'list_sessions' }] }
  await api('POST', '/api/agents', { agentId, displayName: 'Lister', chat })
  await startSession(page, api, id('listed'), agentId)
  await typeMessage(page, 'use list_sessions {}')
  const call = page.locator('[data-tool="list_sessions"][data-state="answered"]')
  await call.getByRole('button').click()
  await expect(call.getByTestId('result-table').getByRole('columnheader').first()).toBeVisible()
  const result = call.getByTestId('result').last()
  await result.getByTestId('result-json').click()
  await expect(call.getByTestId('result-table')).toHaveCount(0)
  await expect(result).toContainText('"sessions": [')
})
