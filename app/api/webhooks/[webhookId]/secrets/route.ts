import { rotateWebhookSecret } from '#lib/deliveries/webhooks.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(webhookOperations.rotate, rotateWebhookSecret)
