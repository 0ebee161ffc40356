import { listAllDeliveries } from '#lib/deliveries/list-all.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret
} from '#lib/features/webhooks/webhooks.ts'
import { bind } from '#lib/http/endpoint.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { route } from '#lib/http/route.ts'

export const webhookEndpoints = bind(webhookOperations, {
  list: operation => route(operation, listWebhooks),
  create: operation => route(operation, createWebhook),
  delete: operation => route(operation, deleteWebhook),
  rotate: operation => route(operation, rotateWebhookSecret),
  deliveries: operation => route(operation, listAllDeliveries)
})
