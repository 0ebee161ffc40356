import type { Metadata } from 'next'
import { NewAgentPage } from '#components/agents/new-agent-page.tsx'
import { listTools } from '#lib/agents/list-tools.ts'
import { listMembers } from '#lib/auth/list-members.ts'
import { signedIn } from '#lib/auth/signed-in.ts'

export const metadata: Metadata = { title: 'New agent' }

export default async function NewAgent() {
  const ctx = await signedIn()
  const [{ tools }, { members }] = await Promise.all([listTools(ctx), listMembers(ctx, {})])
  return (
    <NewAgentPage tools={tools} people={members.map(({ userId, name, role }) => ({ userId, name, role }))} />
  )
}
