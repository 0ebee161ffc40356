import type { CallOperation } from './call.ts'
import type { Agent, AgentRevision, CreateAgent, ExternalSessions, UpdateAgent } from './types.ts'

/** The agents of the workspace. Not available with a session token. */
export type AgentsClient = {
  list: () => Promise<{ agents: Agent[] }>
  get: (agentId: string) => Promise<Agent>
  /** Creates an agent with its first revision. Needs the role `editor`. */
  create: (agent: CreateAgent) => Promise<Agent>
  /** Publishes a new revision. Needs the role `editor`. */
  update: (agentId: string, changes: UpdateAgent) => Promise<Agent>
  /** Lists the published revisions, newest first. */
  revisions: (agentId: string) => Promise<{ revisions: AgentRevision[] }>
  /**
   * Publishes an earlier revision again, as a new one. `base` is the newest revision that you know: if another
   * one was published since, it rejects with `CONFLICT`. Needs the role `editor`.
   */
  restore: (agentId: string, revision: number, options: { base: number; note?: string }) => Promise<Agent>
  /** Lists the conversations that an external agent with a `checkUrl` knows. Needs the role `operator`. */
  conversations: (agentId: string, query?: string) => Promise<ExternalSessions>
}

export function agentsOf(call: CallOperation): AgentsClient {
  return {
    list: () => call('listAgents'),
    get: agentId => call('getAgent', { path: { agentId } }),
    create: body => call('createAgent', { body }),
    update: (agentId, body) => call('updateAgent', { path: { agentId }, body }),
    revisions: agentId => call('listAgentRevisions', { path: { agentId } }),
    restore: (agentId, revision, body) => call('restoreAgentRevision', { path: { agentId, revision }, body }),
    conversations: (agentId, query) => call('listExternalSessions', { path: { agentId }, query: { query } })
  }
}
