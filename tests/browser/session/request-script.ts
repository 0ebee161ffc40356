import type { Api, Page } from '#tests/browser/test.ts'

/** Opens a session whose agent asks to run this script. Agent and session have the same ID. Returns the card. */
export async function requestScript(page: Page, api: Api, sessionId: string, script: string) {
  const chat = { model: 'demo/demo', tools: [{ name: 'zx-script' }] }
  await api('POST', '/api/agents', { agentId: sessionId, displayName: 'Scripter', chat })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: sessionId, sessionId })
  const text = `use zx-script ${JSON.stringify({ script })}`
  await api('POST', `/api/sessions/${sessionId}/messages`, { text })
  await page.goto(`/sessions/${sessionId}`)
  return page.locator('[data-call][data-place="dock"]')
}

/** Returns the call of the script in the transcript. */
export const scriptCall = (page: Page) =>
  page.getByTestId('tool-call').and(page.locator('[data-tool="zx-script"]'))
