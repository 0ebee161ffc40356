import { listTools } from '#lib/agents/list-tools.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.tools, listTools)
