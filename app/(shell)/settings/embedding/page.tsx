import type { Metadata } from 'next'
import { Embedding as Section } from '#components/settings/embedding.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'Embedding' }

export default async function Embedding() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} origin={ctx.ports.origin} />
}
