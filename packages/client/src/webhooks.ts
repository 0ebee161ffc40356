import { type Api, answered } from './api.ts'
import type { CreateWebhook, Webhook } from './types.ts'

/** The webhooks of the workspace. They need the role `owner`. */
export type WebhooksClient = {
  list: () => Promise<{ webhooks: Webhook[] }>
  /** Creates a webhook. Store the returned `secret`, because it is not shown again. */
  create: (webhook: CreateWebhook) => Promise<{ webhook: Webhook; secret: string }>
  delete: (webhookId: string) => Promise<{ webhookId: string }>
  /** Creates another secret. The old ones stay valid for `overlapSeconds` (default: a day). */
  rotateSecret: (
    webhookId: string,
    options?: { overlapSeconds?: number }
  ) => Promise<{ secretId: string; secret: string }>
}

export function webhooksOf({ calls }: Api): WebhooksClient {
  const of = (webhookId: string) => ({ params: { path: { webhookId } } })
  return {
    list: () => answered(calls.GET('/api/webhooks')),
    create: body => answered(calls.POST('/api/webhooks', { body })),
    delete: webhookId => answered(calls.DELETE('/api/webhooks/{webhookId}', of(webhookId))),
    rotateSecret: (webhookId, body = {}) =>
      answered(calls.POST('/api/webhooks/{webhookId}/secrets', { ...of(webhookId), body }))
  }
}
