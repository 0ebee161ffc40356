import { listPlugins } from '#lib/agents/list-plugins.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(agentOperations.plugins, listPlugins)
