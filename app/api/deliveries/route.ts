import { listAllDeliveries } from '#lib/deliveries/list-all.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(webhookOperations.deliveries, listAllDeliveries)
