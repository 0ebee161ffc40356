import { deleteWebhook } from '#lib/deliveries/webhooks.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(webhookOperations.delete, deleteWebhook)
