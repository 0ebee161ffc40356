import type { Api, Page } from '#tests/browser/test.ts'

/** Has the agent ask a question, which the rules of `askAboutQuestions` ask about first. */
const uses = (n: number) => `use ask-question {"question": "Number ${n}?", "inputType": "text"}`

const askAboutQuestions = (api: Api) =>
  api('PUT', '/api/workspace', { toolRules: [{ tool: 'ask-question', mode: 'ask' }] })

/** A session that asks whether it may ask this question, and its page. */
export async function askToAsk(page: Page, api: Api, sessionId: string, n: number) {
  await askAboutQuestions(api)
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-composer]').fill(uses(n))
  await page.keyboard.press('ControlOrMeta+Enter')
}
