import type { Api, Page } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

/**
 * Opens a session whose agent can start sub-agents. Agent and session have the same ID. Returns a function that
 * sends messages.
 */
export async function openForeman(page: Page, api: Api, agentId: string) {
  const tools = [{ name: 'spawn-agent' }, { name: 'ask-question' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Foreman', chat: { tools } })
  await startSession(page, api, agentId, agentId)
  return (text: string) => api('POST', `/api/sessions/${agentId}/messages`, { text })
}

/** Returns a message that makes the demo model give this task to a sub-agent. */
export const spawnMessage = (task: string) => `use spawn-agent ${JSON.stringify({ task })}`
