import { getServer } from '#lib/connections/mcp/servers.ts'
import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(mcpOperations.get, getServer)
