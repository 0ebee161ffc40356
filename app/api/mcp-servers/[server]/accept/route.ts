import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { route } from '#lib/http/route.ts'
import { acceptDefinition } from '#lib/sessions/accept-definition.ts'

export const POST = route(mcpOperations.accept, acceptDefinition)
