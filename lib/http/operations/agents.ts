import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import {
  Agent,
  AgentInContext,
  AgentRevision,
  CreateAgent,
  InAgent,
  ListAgents,
  UpdateAgent
} from '#lib/protocol/agent.ts'
import { ListedTool } from '#lib/protocol/listed-tool.ts'

export const agentOperations = {
  list: operation({
    id: 'listAgents',
    method: 'GET',
    path: '/api/agents',
    summary: 'Every agent of the workspace',
    actor: 'user',
    scope: 'read',
    input: ListAgents,
    answer: z.object({ agents: z.array(Agent) })
  }),
  create: operation({
    id: 'createAgent',
    method: 'POST',
    path: '/api/agents',
    summary: 'A new agent',
    actor: 'user',
    scope: 'edit',
    input: CreateAgent,
    answer: Agent,
    status: 201,
    refusals: ['CONFLICT']
  }),
  get: operation({
    id: 'getAgent',
    method: 'GET',
    path: '/api/agents/{agentId}',
    summary: 'An agent as it is configured now',
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: AgentInContext,
    refusals: ['NOT_FOUND']
  }),
  update: operation({
    id: 'updateAgent',
    method: 'PUT',
    path: '/api/agents/{agentId}',
    summary: 'Saves a configuration as the next revision; a stale `revision` is a conflict',
    actor: 'user',
    scope: 'edit',
    input: UpdateAgent,
    answer: Agent,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  revisions: operation({
    id: 'listAgentRevisions',
    method: 'GET',
    path: '/api/agents/{agentId}/revisions',
    summary: 'The last hundred configurations of an agent, newest first',
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: z.object({ revisions: z.array(AgentRevision) }),
    refusals: ['NOT_FOUND']
  }),
  tools: operation({
    id: 'listTools',
    method: 'GET',
    path: '/api/tools',
    summary: 'The tools that this server brings and an agent may be given',
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ tools: z.array(ListedTool) })
  })
}
