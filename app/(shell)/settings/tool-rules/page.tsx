import type { Metadata } from 'next'
import { ToolRules as Section } from '#components/settings/tool-rules.tsx'
import { listTools } from '#lib/agents/list-tools.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'
import { listGrants } from '#lib/features/approvals/list-grants.ts'

export const metadata: Metadata = { title: 'Tool rules' }

export default async function ToolRules() {
  const ctx = await requireSignIn()
  const workspace = await ownWorkspace(ctx)
  const grants = workspace === undefined ? undefined : (await listGrants(ctx, {})).grants
  const { tools } = await listTools(ctx)
  return <Section workspace={workspace} grants={grants} tools={tools.map(({ name }) => name)} />
}
