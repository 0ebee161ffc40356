import type { Metadata } from 'next'
import { ToolRules as Section } from '#components/settings/tool-rules.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'
import { listGrants } from '#lib/features/approvals/list-grants.ts'

export const metadata: Metadata = { title: 'Tool rules' }

export default async function ToolRules() {
  const ctx = await requireSignIn()
  const workspace = await ownWorkspace(ctx)
  const grants = workspace === undefined ? undefined : (await listGrants(ctx, {})).grants
  return <Section workspace={workspace} grants={grants} />
}
