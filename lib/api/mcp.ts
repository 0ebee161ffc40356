import { acceptDefinition } from '#lib/features/connections/mcp/accept-definition.ts'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import { inspectServer } from '#lib/features/connections/mcp/inspect-server.ts'
import { getServer, listServers } from '#lib/features/connections/mcp/servers.ts'
import { bind } from '#lib/http/endpoint.ts'
import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { route } from '#lib/http/route.ts'

export const mcpEndpoints = bind(mcpOperations, {
  list: operation => route(operation, listServers),
  get: operation => route(operation, getServer),
  check: operation => route(operation, checkServer),
  inspect: operation => route(operation, inspectServer),
  accept: operation => route(operation, acceptDefinition)
})
