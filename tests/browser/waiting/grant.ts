import type { Api, Page } from '#tests/browser/test.ts'

/** Returns a message that makes the agent ask a question. The rules of `askAboutQuestions` require approval for it. */
const askQuestionMessage = (n: number) => `use ask-question {"question": "Number ${n}?", "inputType": "text"}`

const askAboutQuestions = (api: Api) =>
  api('PUT', '/api/workspace', { toolRules: [{ tool: 'ask-question', mode: 'ask' }] })

/** Opens a session with a pending approval for asking this question. */
export async function openGrantRequest(page: Page, api: Api, sessionId: string, n: number) {
  await askAboutQuestions(api)
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-composer]').fill(askQuestionMessage(n))
  await page.keyboard.press('ControlOrMeta+Enter')
}
