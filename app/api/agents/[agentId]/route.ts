import { getAgent } from '#lib/agents/get.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.get, getAgent)
export const PUT = route(agentOperations.update, updateAgent)
