import { compareRevisions } from '#lib/agents/compare-revisions.ts'
import { createAgent } from '#lib/agents/create.ts'
import { discardDraft } from '#lib/agents/discard-draft.ts'
import { getAgent } from '#lib/agents/get.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { getRevision } from '#lib/agents/get-revision.ts'
import { listAgents } from '#lib/agents/list.ts'
import { listPlugins } from '#lib/agents/list-plugins.ts'
import { listTools } from '#lib/agents/list-tools.ts'
import { publishDraft } from '#lib/agents/publish-draft.ts'
import { restoreRevision } from '#lib/agents/restore-revision.ts'
import { listRevisions } from '#lib/agents/revisions.ts'
import { saveDraft } from '#lib/agents/save-draft.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { bind } from '#lib/http/endpoint.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const agentEndpoints = bind(agentOperations, {
  list: operation => route(operation, listAgents),
  create: operation => route(operation, createAgent),
  get: operation => route(operation, getAgent),
  update: operation => route(operation, updateAgent),
  revisions: operation => route(operation, listRevisions),
  revision: operation => route(operation, getRevision),
  restore: operation => route(operation, restoreRevision),
  draft: operation => route(operation, getDraft),
  saveDraft: operation => route(operation, saveDraft),
  discardDraft: operation => route(operation, discardDraft),
  publish: operation => route(operation, publishDraft),
  compare: operation => route(operation, compareRevisions),
  tools: operation => route(operation, listTools),
  plugins: operation => route(operation, listPlugins)
})
