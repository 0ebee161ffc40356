import { listIntegrations } from '#lib/connections/integrations.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(connectionOperations.integrations, listIntegrations)
