import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { DeliveryPage, ListDeliveries } from '#lib/protocol/delivery.ts'
import { NewSecret } from '#lib/protocol/signing-secret.ts'
import {
  CreatedWebhook,
  CreateWebhook,
  InWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  Webhook
} from '#lib/protocol/webhook.ts'

export const webhookOperations = {
  list: operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Where the workspace is told of what happens in its sessions',
    actor: 'user',
    scope: 'own',
    input: ListWebhooks,
    answer: z.object({ webhooks: z.array(Webhook) })
  }),
  create: operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/api/webhooks',
    summary: 'A new webhook; its signing secret is in this answer and nowhere else',
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
    summary: 'Ends a webhook; what was still to be sent to it is withdrawn',
    actor: 'user',
    scope: 'own',
    input: InWebhook,
    answer: z.object({ webhookId: z.string() }),
    refusals: ['NOT_FOUND']
  }),
  rotate: operation({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/webhooks/{webhookId}/secrets',
    summary: 'A new signing secret of a webhook; the ones before it hold for `overlapSeconds` more',
    actor: 'user',
    scope: 'own',
    input: RotateWebhookSecret,
    answer: NewSecret,
    status: 201,
    refusals: ['NOT_FOUND']
  }),
  deliveries: operation({
    id: 'listAllDeliveries',
    method: 'GET',
    path: '/api/deliveries',
    summary: 'What the workspace sent out to other systems, newest first, with every attempt',
    actor: 'user',
    scope: 'edit',
    input: ListDeliveries,
    answer: DeliveryPage
  })
}
