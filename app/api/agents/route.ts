import { createAgent } from '#lib/agents/create.ts'
import { listAgents } from '#lib/agents/list.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.list, listAgents)
export const POST = route(agentOperations.create, createAgent)
