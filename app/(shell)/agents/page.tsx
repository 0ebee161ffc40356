import type { Metadata } from 'next'
import { AgentList } from '#components/agents/agent-list.tsx'
import { listAgents } from '#lib/agents/list.ts'
import { signedIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Agents' }

export default async function Agents() {
  const { agents } = await listAgents(await signedIn(), {})
  return <AgentList agents={agents} />
}
