import { getIntegration, removeIntegration, saveIntegration } from '#lib/connections/integrations.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(connectionOperations.integration, getIntegration)
export const PUT = route(connectionOperations.saveIntegration, saveIntegration)
export const DELETE = route(connectionOperations.removeIntegration, removeIntegration)
