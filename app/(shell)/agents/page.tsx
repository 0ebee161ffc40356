import type { Metadata } from 'next'
import { AgentList } from '#components/agents/agent-list.tsx'
import { listAgentsWithUse } from '#lib/agents/list-with-use.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Agents' }

export default async function Agents() {
  return <AgentList agents={await listAgentsWithUse(await requireSignIn())} />
}
