import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Metadata } from 'next'
import { AgentPage } from '#components/agents/agent-page.tsx'
import { changedParts } from '#components/agents/versions/changed-parts.ts'
import { knownModels } from '#components/forms/known-models.ts'
import { getAgent } from '#lib/agents/get.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { getRevision } from '#lib/agents/get-revision.ts'
import { listPlugins } from '#lib/agents/list-plugins.ts'
import { listTools } from '#lib/agents/list-tools.ts'
import { listRevisions } from '#lib/agents/revisions.ts'
import { listMembers } from '#lib/auth/members/list-members.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { readToolLimits } from '#lib/engine/calls/tool-limits.ts'
import { listAgentSecrets } from '#lib/features/external-agents/agent-secrets.ts'
import { listModels } from '#lib/features/models/providers.ts'

export const metadata: Metadata = { title: 'Agent' }

export default async function Agent({ params }: { params: Promise<{ agentId: string }> }) {
  const ctx = await requireSignIn()
  const { agentId } = await params
  const agent = await orNotFound(getAgent(ctx, { agentId }))
  const state = await getDraft(ctx, { agentId })
  const began = state.draft?.base ?? agent.revision
  const [{ tools }, { plugins }, models, { members }, { revisions }, { secrets }, toolLimits] =
    await Promise.all([
      listTools(ctx),
      listPlugins(ctx),
      listModels(ctx, {}),
      listMembers(ctx, {}),
      listRevisions(ctx, { agentId }),
      permissionsOf(ctx.actor).mayEdit ? listAgentSecrets(ctx, { agentId }) : { secrets: undefined },
      readToolLimits(ctx, undefined)
    ])
  const base =
    began === agent.revision ? agent : (await getRevision(ctx, { agentId, revision: began })).config
  const usual = Object.fromEntries(tools.map(({ name, approval }) => [name, approval]))
  const changedSince = (before: AgentConfig | undefined, after: AgentConfig) =>
    before === undefined ? 'Created.' : changedParts(before, after, usual)
  return (
    <AgentPage
      key={agentId}
      workspaceId={ctx.workspaceId}
      opened={{ agent, state, base }}
      tools={tools}
      plugins={plugins}
      models={knownModels(models)}
      toolLimits={toolLimits}
      people={members.map(({ userId, name, role }) => ({ userId, name, role }))}
      secrets={secrets}
      history={revisions.map(({ config, ...saved }, index) => ({
        ...saved,
        changed: changedSince(revisions[index + 1]?.config, config)
      }))}
    />
  )
}
