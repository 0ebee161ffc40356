import type { Metadata } from 'next'
import { AgentList } from '#components/agents/agent-list.tsx'
import { listAgents } from '#lib/agents/list.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Agents' }

export default async function Agents() {
  const { agents } = await listAgents(await requireSignIn(), {})
  return <AgentList agents={agents} />
}
