import type { Api, Page } from '#tests/browser/test.ts'
import { begin } from './begin.ts'

/** A session of an agent that can give tasks to sub-agents, and its page; agent and session have the same ID. */
export async function openForeman(page: Page, api: Api, agentId: string) {
  const tools = [{ name: 'spawn-agent' }, { name: 'ask-question' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Foreman', chat: { tools } })
  await begin(page, api, agentId, agentId)
  return (text: string) => api('POST', `/api/sessions/${agentId}/messages`, { text })
}

/** A message that gives a sub-agent this task. */
export const spawns = (task: string) => `use spawn-agent ${JSON.stringify({ task })}`
