import type { Metadata } from 'next'
import { Models as Section } from '#components/settings/models.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'
import { listModels } from '#lib/features/models/providers.ts'

export const metadata: Metadata = { title: 'Models' }

export default async function Models() {
  const ctx = await requireSignIn()
  const [workspace, models] = await Promise.all([ownWorkspace(ctx), listModels(ctx, {})])
  return <Section workspace={workspace} models={models} />
}
