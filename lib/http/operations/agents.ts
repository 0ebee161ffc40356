import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { Agent, AgentInContext, CreateAgent, InAgent, ListAgents, UpdateAgent } from '#lib/protocol/agent.ts'
import {
  AgentRevision,
  CompareRevisions,
  Comparison,
  DiscardDraft,
  DraftState,
  InRevision,
  PublishDraft,
  RestoreRevision,
  SaveDraft
} from '#lib/protocol/agent-revision.ts'
import { ListedPlugin } from '#lib/protocol/listed-plugin.ts'
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
  revision: operation({
    id: 'getAgentRevision',
    method: 'GET',
    path: '/api/agents/{agentId}/revisions/{revision}',
    summary: 'One configuration that an agent has had',
    actor: 'user',
    scope: 'read',
    input: InRevision,
    answer: AgentRevision,
    refusals: ['NOT_FOUND']
  }),
  restore: operation({
    id: 'restoreAgentRevision',
    method: 'POST',
    path: '/api/agents/{agentId}/revisions/{revision}/restore',
    summary: 'Publishes an earlier configuration as a new revision',
    actor: 'user',
    scope: 'edit',
    input: RestoreRevision,
    answer: Agent,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  draft: operation({
    id: 'getAgentDraft',
    method: 'GET',
    path: '/api/agents/{agentId}/draft',
    summary: 'What is prepared for the next revision of an agent, if anything is',
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: DraftState,
    refusals: ['NOT_FOUND']
  }),
  saveDraft: operation({
    id: 'saveAgentDraft',
    method: 'PUT',
    path: '/api/agents/{agentId}/draft',
    summary: 'Keeps a configuration as the draft of the next revision; a stale `version` is a conflict',
    actor: 'user',
    scope: 'edit',
    input: SaveDraft,
    answer: DraftState,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  discardDraft: operation({
    id: 'discardAgentDraft',
    method: 'DELETE',
    path: '/api/agents/{agentId}/draft',
    summary: 'Throws the draft of an agent away',
    actor: 'user',
    scope: 'edit',
    input: DiscardDraft,
    answer: DraftState,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  publish: operation({
    id: 'publishAgent',
    method: 'POST',
    path: '/api/agents/{agentId}/publish',
    summary: 'Publishes the draft of an agent as its next revision; a stale `base` is a conflict',
    actor: 'user',
    scope: 'edit',
    input: PublishDraft,
    answer: Agent,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  compare: operation({
    id: 'compareAgentRevisions',
    method: 'GET',
    path: '/api/agents/{agentId}/diff',
    summary:
      'What is different between two revisions of an agent, or one and its draft, and what of it widens',
    actor: 'user',
    scope: 'read',
    input: CompareRevisions,
    answer: Comparison,
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
  }),
  plugins: operation({
    id: 'listPlugins',
    method: 'GET',
    path: '/api/plugins',
    summary: 'The plugins that this server has and an agent may switch on',
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ plugins: z.array(ListedPlugin) })
  })
}
