import type { Metadata } from 'next'
import { AgentPage } from '#components/agents/agent-page.tsx'
import { listTools } from '#lib/agents/list-tools.ts'
import { signedIn } from '#lib/auth/signed-in.ts'

export const metadata: Metadata = { title: 'New agent' }

export default async function NewAgent() {
  const { tools } = await listTools(await signedIn())
  return <AgentPage tools={tools} />
}
