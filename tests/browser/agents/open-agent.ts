import { type Api, expect, type Page } from '#tests/browser/test.ts'

type Options = { page: Page; api: Api; agentId: string; config?: object }

/** Creates an agent with the instructions "Be brief." and opens its page. */
export async function openAgent({ page, api, agentId, config = {} }: Options): Promise<void> {
  await api('POST', '/api/agents', {
    agentId,
    displayName: 'Agent',
    chat: { instructions: 'Be brief.', ...config }
  })
  await page.goto(`/agents/${agentId}`)
}

/** Opens a section of the agent that the page shows. */
export const openSection = (page: Page, section: string) => page.getByTestId(`section-${section}`).click()

/** Adds a tool of the server on the page of an agent. */
export async function addTool(page: Page, name: string): Promise<void> {
  const library = page.getByTestId('tool-library')
  if ((await library.getAttribute('open')) === null) await library.locator('summary').click()
  await page.locator(`[data-tool="${name}"]`).getByTestId('add-tool').click()
}

/** Waits until the page has saved the form as a draft. */
export const isDraftSaved = (page: Page) =>
  expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'saved')

/** Creates a session of an agent. By default its ID is the ID of the agent. */
export const startSession = (api: Api, agentId: string, sessionId = agentId) =>
  api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId })

const tools = [{ name: 'read_config' }, { name: 'commit_revision' }]

/** Makes an agent propose a change to itself, and opens the session with the pending proposal. */
export async function openProposal(
  { page, api, agentId }: Options,
  change: { instructions: string; tools?: object[] },
  note = 'As you asked.'
) {
  const config = { agentId, displayName: 'Self', chat: { instructions: 'Be brief.', tools } }
  await api('POST', '/api/agents', config)
  await startSession(api, agentId)
  const chat = { ...config.chat, ...change, tools: [...tools, ...(change.tools ?? [])] }
  const proposal = {
    base_revision_id: `${agentId}@1`,
    config: { ...config, type: 'chat', chat },
    note
  }
  await api('POST', `/api/sessions/${agentId}/messages`, {
    text: `use commit_revision ${JSON.stringify(proposal)}`
  })
  await page.goto(`/sessions/${agentId}`)
  return config
}
