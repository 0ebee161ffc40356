import type { Metadata } from 'next'
import { AgentList } from '#components/agents/agent-list.tsx'
import { listAgentsWithUse } from '#lib/agents/list-with-use.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listModels } from '#lib/features/models/providers.ts'

export const metadata: Metadata = { title: 'Agents' }

export default async function Agents() {
  const ctx = await requireSignIn()
  const [agents, { defaultModel }] = await Promise.all([listAgentsWithUse(ctx), listModels(ctx, {})])
  return <AgentList agents={agents} defaultModel={defaultModel} />
}
