import type { Metadata } from 'next'
import { NewAgentPage } from '#components/agents/new-agent-page.tsx'
import { knownModels } from '#components/forms/known-models.ts'
import { listTools } from '#lib/agents/list-tools.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listModels } from '#lib/features/models/providers.ts'

export const metadata: Metadata = { title: 'New agent' }

export default async function NewAgent() {
  const ctx = await requireSignIn()
  const [{ tools }, models] = await Promise.all([listTools(ctx), listModels(ctx, {})])
  return <NewAgentPage tools={tools} models={knownModels(models)} />
}
