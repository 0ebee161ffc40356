import type { Agent } from '@waystation/protocol/agent/agent.ts'
import { needOf } from '#components/session/wording/call-words.ts'
import { expect, test } from '#tests/browser/test.ts'
import { startSession } from './open-agent.ts'

test('an HTTP tool that needs approval asks in the dock and waits for the user', async ({
  page,
  api,
  id
}) => {
  const agentId = id('clerk')
  const order = {
    name: 'order',
    where: 'external',
    description: 'Orders an article.',
    inputSchema: { type: 'object', properties: { sku: { type: 'string' } } },
    url: 'https://acme.example/orders',
    approval: 'ask'
  }
  await api<Agent>('POST', '/api/agents', { agentId, displayName: 'Clerk', chat: { tools: [order] } })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}`)
  await page.locator('[data-composer]').fill('use order {"sku": "A-1"}')
  await page.keyboard.press('ControlOrMeta+Enter')
  const dock = page.locator('#waits')
  await expect(dock.getByTestId('decline-call')).toBeVisible()
  await expect(page.locator('[data-tool="order"]')).toContainText(needOf({ kind: 'approval' }))
  await dock.getByTestId('decline-call').click()
  await dock.getByRole('textbox').fill('Not today.')
  await dock.getByRole('textbox').press('ControlOrMeta+Enter')
  await expect(dock).toBeHidden()
})
