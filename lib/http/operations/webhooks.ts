import { DeliveryPage, ListDeliveries } from '@waystation/protocol/external-agent/delivery.ts'
import { NewSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import {
  CreatedWebhook,
  CreateWebhook,
  InWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  Webhook
} from '@waystation/protocol/external-agent/webhook.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const webhookOperations = {
  list: operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List webhooks',
    actor: 'user',
    scope: 'own',
    input: ListWebhooks,
    answer: z.object({ webhooks: z.array(Webhook) })
  }),
  create: operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook; its signing secret is returned only once',
    actor: 'user',
    scope: 'own',
    input: CreateWebhook,
    answer: CreatedWebhook,
    status: 201
  }),
  delete: operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/webhooks/{webhookId}',
    summary: 'Delete a webhook and withdraw its pending deliveries',
    actor: 'user',
    scope: 'own',
    input: InWebhook,
    answer: z.object({ webhookId: z.string() }),
    errors: ['NOT_FOUND']
  }),
  rotate: operation({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/webhooks/{webhookId}/secrets',
    summary: "Create a webhook's signing secret; older secrets expire after `overlapSeconds`",
    actor: 'user',
    scope: 'own',
    input: RotateWebhookSecret,
    answer: NewSecret,
    status: 201,
    errors: ['NOT_FOUND']
  }),
  deliveries: operation({
    id: 'listAllDeliveries',
    method: 'GET',
    path: '/api/deliveries',
    summary: "List the workspace's deliveries and their attempts, newest first",
    actor: 'user',
    scope: 'edit',
    input: ListDeliveries,
    answer: DeliveryPage
  })
}
