import { createWebhook, listWebhooks } from '#lib/deliveries/webhooks.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(webhookOperations.list, listWebhooks)
export const POST = route(webhookOperations.create, createWebhook)
