import type { CallOperation } from './call.ts'
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

export function webhooksOf(call: CallOperation): WebhooksClient {
  return {
    list: () => call('listWebhooks'),
    create: body => call('createWebhook', { body }),
    delete: webhookId => call('deleteWebhook', { path: { webhookId } }),
    rotateSecret: (webhookId, body = {}) => call('rotateWebhookSecret', { path: { webhookId }, body })
  }
}
