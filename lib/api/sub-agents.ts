import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { bind } from '#lib/http/endpoint.ts'
import { subAgentOperations } from '#lib/http/operations/sub-agents.ts'
import { route } from '#lib/http/route.ts'

export const subAgentEndpoints = bind(subAgentOperations, {
  list: operation => route(operation, listSubAgents)
})
