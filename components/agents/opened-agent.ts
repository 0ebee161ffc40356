import type { Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { client } from '#components/browser/client.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'

/**
 * An agent with its draft. `base` is the configuration that the draft changes, or the published one without a
 * draft.
 */
export type OpenedAgent = { agent: Agent; state: DraftState; base: AgentConfig }

/** Reads an agent, its draft and the base of the draft. */
export const openAgent = (agentId: string): Promise<Reply<OpenedAgent>> => replyTo(opened(agentId))

async function opened(agentId: string): Promise<OpenedAgent> {
  const agent = await client.agents.get(agentId)
  const state = await client.call('getAgentDraft', { path: { agentId } })
  const { draft } = state
  if (draft === null || draft.base === agent.revision) return { agent, state, base: agent }
  const path = { agentId, revision: draft.base }
  const { config } = await client.call('getAgentRevision', { path })
  return { agent, state, base: config }
}
