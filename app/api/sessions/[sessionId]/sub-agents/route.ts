import { preflight } from '#lib/http/cors.ts'
import { subAgentOperations } from '#lib/http/operations/sub-agents.ts'
import { route } from '#lib/http/route.ts'
import { listSubAgents } from '#lib/sessions/list-sub-agents.ts'

export const GET = route(subAgentOperations.list, listSubAgents)
export const OPTIONS = preflight
