import { listDeliveries } from '#lib/deliveries/list.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(sessionOperations.deliveries, listDeliveries)
