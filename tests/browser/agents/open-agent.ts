import type { Page } from '@playwright/test'
import type { Api } from '#tests/browser/test.ts'

type Opened = { page: Page; api: Api; agentId: string; config?: object }

/** Makes an agent with the instructions "Be brief." and opens its page. */
export async function openAgent({ page, api, agentId, config = {} }: Opened): Promise<void> {
  await api('POST', '/api/agents', {
    agentId,
    displayName: 'Agent',
    chat: { instructions: 'Be brief.', ...config }
  })
  await page.goto(`/agents/${agentId}`)
}

/** Makes a session of an agent, which bears its ID. */
export const startSession = (api: Api, agentId: string, sessionId = agentId) =>
  api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId })

const tools = [{ name: 'read_config' }, { name: 'commit_revision' }]

/** Lets an agent propose a change of itself, and opens the session in which that waits for an answer. */
export async function openProposal(
  { page, api, agentId }: Opened,
  change: { instructions: string; tools?: object[] },
  note = 'As you asked.'
) {
  const config = { agentId, displayName: 'Self', chat: { instructions: 'Be brief.', tools } }
  await api('POST', '/api/agents', config)
  await startSession(api, agentId)
  const all = { ...config.chat, ...change, tools: [...tools, ...(change.tools ?? [])] }
  const proposal = {
    base_revision_id: `${agentId}@1`,
    config: { ...config, type: 'chat', chat: all },
    note
  }
  await api('POST', `/api/sessions/${agentId}/messages`, {
    text: `use commit_revision ${JSON.stringify(proposal)}`
  })
  await page.goto(`/sessions/${agentId}`)
  return config
}
