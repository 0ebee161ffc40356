import { type Api, answered } from './api.ts'
import type { Agent, AgentRevision, CreateAgent, UpdateAgent } from './types.ts'

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
}

export function agentsOf({ calls }: Api): AgentsClient {
  const of = (agentId: string) => ({ params: { path: { agentId } } })
  return {
    list: () => answered(calls.GET('/api/agents')),
    get: agentId => answered(calls.GET('/api/agents/{agentId}', of(agentId))),
    create: body => answered(calls.POST('/api/agents', { body })),
    update: (agentId, body) => answered(calls.PUT('/api/agents/{agentId}', { ...of(agentId), body })),
    revisions: agentId => answered(calls.GET('/api/agents/{agentId}/revisions', of(agentId))),
    restore: (agentId, revision, body) =>
      answered(
        calls.POST('/api/agents/{agentId}/revisions/{revision}/restore', {
          params: { path: { agentId, revision } },
          body
        })
      )
  }
}
