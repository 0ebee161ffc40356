import type { Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { AgentRevision, DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import type { Http, Reply } from '#components/browser/http.ts'

/**
 * An agent with its draft. `base` is the configuration that the draft changes, or the published one without a
 * draft.
 */
export type OpenedAgent = { agent: Agent; state: DraftState; base: AgentConfig }

/** Returns the path of an agent in the API. */
export const agentPath = (agentId: string): string => `/api/agents/${encodeURIComponent(agentId)}`

/** Reads an agent, its draft and the base of the draft. If a request fails, returns its reply. */
export async function openAgent(http: Http, agentId: string): Promise<Reply<OpenedAgent>> {
  const path = agentPath(agentId)
  const agent = await http<Agent>('GET', path)
  if (!agent.ok) return agent
  const state = await http<DraftState>('GET', `${path}/draft`)
  if (!state.ok) return state
  const { draft } = state.body
  if (draft === null || draft.base === agent.body.revision)
    return { ok: true, body: { agent: agent.body, state: state.body, base: agent.body } }
  const base = await http<AgentRevision>('GET', `${path}/revisions/${draft.base}`)
  if (!base.ok) return base
  return { ok: true, body: { agent: agent.body, state: state.body, base: base.body.config } }
}
