import { act } from '#tests/browser/session/start-conversation.ts'
import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'

const columns = (page: Page) => page.getByTestId('compare-column')
const choice = demo.askToChoose('tea', 'coffee')

/** Opens a conversation with an agent that cannot ask. Its draft can. */
async function openConversation(page: Page, api: Api, agentId: string) {
  const config = { agentId, displayName: 'Porter' }
  await api('POST', '/api/agents', config)
  await api('PUT', `/api/agents/${agentId}/draft`, {
    config: { ...config, chat: { tools: [{ name: 'ask-question' }] } },
    base: 1
  })
  await api('POST', '/api/plugins/sessions/operations/create', {
    agentId,
    sessionId: agentId,
    title: agentId
  })
  await page.goto(`/sessions/${agentId}`)
  await page.locator('[data-composer]').fill(choice)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  await expect(page.getByTestId('message-bubble')).toHaveCount(2)
}

const idOf = async (page: Page) => (await columns(page).nth(1).getAttribute('data-session')) ?? ''

test('a message runs on the draft beside the original, is answered there, and the trial is kept', async ({
  page,
  api,
  id
}) => {
  await openConversation(page, api, id('agent'))
  const message = page.locator('[data-row]').filter({ hasText: choice }).first()
  await act(message, 'compare')
  await expect(columns(page)).toHaveCount(1)
  await expect(page.getByTestId('run-revision')).toHaveValue('draft')
  await page.getByTestId('run-message').click()

  await expect(columns(page)).toHaveCount(2)
  const trial = columns(page).nth(1)
  await expect(trial.getByTestId('turn-state')).toHaveAttribute('data-state', 'waiting')
  await expect(trial.getByTestId('dock')).toBeVisible()
  await expectAccessible(page)

  await page.setViewportSize({ width: 1280, height: 844 })
  const sessionId = await idOf(page)
  const { calls } = await api<{ calls: { toolCallId: string; toolName: string }[] }>(
    'GET',
    `/api/sessions/${sessionId}`
  )
  await api('POST', `/api/sessions/${sessionId}/calls/${calls[0]?.toolCallId}/answer`, {
    output: { answer: 'tea' }
  })
  await expect(trial.getByTestId('turn-state')).toHaveAttribute('data-state', 'done')
  await expect(trial.getByTestId('figure-calls')).toContainText('ask-question')
  await expect(trial.getByTestId('answer-diff').locator('ins').first()).toBeVisible()
  await page.reload()
  await expect(columns(page).nth(1).getByTestId('figure-calls')).toContainText('ask-question')

  await columns(page).nth(1).getByTestId('keep-trial').click()
  await page.waitForURL(`**/sessions/${sessionId}`)
  const { sessions } = await api<{ sessions: { id: string }[] }>('GET', '/api/sessions')
  expect(sessions.map(session => session.id)).toContain(sessionId)
})

test('on a small screen, the compared turns are tabs', async ({ page, api, id }) => {
  const agentId = id('agent')
  await openConversation(page, api, agentId)
  const { messages } = await api<{ messages: { id: string }[] }>('GET', `/api/sessions/${agentId}`)
  const messageId = messages[0]?.id
  const { trials } = await api<{ trials: { sessionId: string; messageId: string }[] }>(
    'POST',
    `/api/sessions/${agentId}/compare`,
    { messageId, with: [{ revision: 1 }] }
  )
  const [trial] = trials
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(
    `/sessions/${agentId}/compare?message=${messageId}&with=${trial?.sessionId}.${trial?.messageId}`
  )
  await expect(columns(page)).toHaveCount(1)
  await page.getByTestId('tab-1').click()
  await expect(columns(page)).toHaveAttribute('data-session', trial?.sessionId ?? '')
  await expect(columns(page).getByTestId('figure-answer')).toBeVisible()
})
