import {
  Agent,
  AgentInContext,
  CreateAgent,
  InAgent,
  ListAgents,
  UpdateAgent
} from '@waystation/protocol/agent/agent.ts'
import {
  AgentRevision,
  CompareRevisions,
  DiscardDraft,
  DraftState,
  InRevision,
  PublishDraft,
  RestoreRevision,
  RevisionComparison,
  SaveDraft
} from '@waystation/protocol/agent/agent-revision.ts'
import { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const agentOperations = {
  list: operation({
    id: 'listAgents',
    method: 'GET',
    path: '/api/agents',
    summary: 'List agents',
    actor: 'user',
    scope: 'read',
    input: ListAgents,
    answer: z.object({ agents: z.array(Agent) })
  }),
  create: operation({
    id: 'createAgent',
    method: 'POST',
    path: '/api/agents',
    summary: 'Create an agent',
    actor: 'user',
    scope: 'edit',
    input: CreateAgent,
    answer: Agent,
    status: 201,
    errors: ['CONFLICT']
  }),
  get: operation({
    id: 'getAgent',
    method: 'GET',
    path: '/api/agents/{agentId}',
    summary: "Get an agent's published configuration",
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: AgentInContext,
    errors: ['NOT_FOUND']
  }),
  update: operation({
    id: 'updateAgent',
    method: 'PUT',
    path: '/api/agents/{agentId}',
    summary: 'Save a configuration as a new revision (`CONFLICT` if `revision` is stale)',
    actor: 'user',
    scope: 'edit',
    input: UpdateAgent,
    answer: Agent,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  revisions: operation({
    id: 'listAgentRevisions',
    method: 'GET',
    path: '/api/agents/{agentId}/revisions',
    summary: "List an agent's last 100 revisions, newest first",
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: z.object({ revisions: z.array(AgentRevision) }),
    errors: ['NOT_FOUND']
  }),
  revision: operation({
    id: 'getAgentRevision',
    method: 'GET',
    path: '/api/agents/{agentId}/revisions/{revision}',
    summary: 'Get one revision of an agent',
    actor: 'user',
    scope: 'read',
    input: InRevision,
    answer: AgentRevision,
    errors: ['NOT_FOUND']
  }),
  restore: operation({
    id: 'restoreAgentRevision',
    method: 'POST',
    path: '/api/agents/{agentId}/revisions/{revision}/restore',
    summary: 'Publish an earlier revision of an agent as a new revision',
    actor: 'user',
    scope: 'edit',
    input: RestoreRevision,
    answer: Agent,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  draft: operation({
    id: 'getAgentDraft',
    method: 'GET',
    path: '/api/agents/{agentId}/draft',
    summary: "Get an agent's draft, if there is one",
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: DraftState,
    errors: ['NOT_FOUND']
  }),
  saveDraft: operation({
    id: 'saveAgentDraft',
    method: 'PUT',
    path: '/api/agents/{agentId}/draft',
    summary: "Save an agent's draft (`CONFLICT` if `version` is stale)",
    actor: 'user',
    scope: 'edit',
    input: SaveDraft,
    answer: DraftState,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  discardDraft: operation({
    id: 'discardAgentDraft',
    method: 'DELETE',
    path: '/api/agents/{agentId}/draft',
    summary: "Discard an agent's draft",
    actor: 'user',
    scope: 'edit',
    input: DiscardDraft,
    answer: DraftState,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  publish: operation({
    id: 'publishAgent',
    method: 'POST',
    path: '/api/agents/{agentId}/publish',
    summary: "Publish an agent's draft (`CONFLICT` if `base` is stale)",
    actor: 'user',
    scope: 'edit',
    input: PublishDraft,
    answer: Agent,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  compare: operation({
    id: 'compareAgentRevisions',
    method: 'GET',
    path: '/api/agents/{agentId}/diff',
    summary: 'Compare two revisions of an agent, or a revision and the draft',
    actor: 'user',
    scope: 'read',
    input: CompareRevisions,
    answer: RevisionComparison,
    errors: ['NOT_FOUND']
  }),
  tools: operation({
    id: 'listTools',
    method: 'GET',
    path: '/api/tools',
    summary: 'List the built-in tools that agents can use',
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ tools: z.array(ListedTool) })
  }),
  plugins: operation({
    id: 'listPlugins',
    method: 'GET',
    path: '/api/plugins',
    summary: 'List the in-process plugins that agents can use',
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ plugins: z.array(ListedPlugin) })
  })
}
