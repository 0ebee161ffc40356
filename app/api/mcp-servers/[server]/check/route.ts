import { checkServer } from '#lib/connections/mcp/check-server.ts'
import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(mcpOperations.check, checkServer)
