import type { Metadata } from 'next'
import { NewAgentPage } from '#components/agents/new-agent-page.tsx'
import { knownModels } from '#components/forms/known-models.ts'
import { listPlugins } from '#lib/agents/list-plugins.ts'
import { listTools } from '#lib/agents/list-tools.ts'
import { listMembers } from '#lib/auth/members/list-members.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listModels } from '#lib/features/models/providers.ts'

export const metadata: Metadata = { title: 'New agent' }

export default async function NewAgent() {
  const ctx = await requireSignIn()
  const [{ tools }, { plugins }, models, { members }] = await Promise.all([
    listTools(ctx),
    listPlugins(ctx),
    listModels(ctx, {}),
    listMembers(ctx, {})
  ])
  return (
    <NewAgentPage
      tools={tools}
      plugins={plugins}
      models={knownModels(models)}
      people={members.map(({ userId, name, role }) => ({ userId, name, role }))}
    />
  )
}
