import { invalid, notFound } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { NewSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import type {
  CreatedWebhook,
  CreateWebhook,
  InWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  Webhook
} from '@waystation/protocol/external-agent/webhook.ts'
import { inTransaction } from '#db/transaction.ts'
import { rotateSecret } from '#lib/deliveries/secrets.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The maximum number of webhooks in a workspace. Each event opens a delivery for each of them. */
const maxWebhooks = 20

/** Returns the webhooks of the workspace, oldest first. */
export async function listWebhooks(ctx: Ctx, _: ListWebhooks): Promise<{ webhooks: Webhook[] }> {
  const rows = await ctx.sql<Webhook[]>`
    select id as webhook_id, url, events, created_by, created_at from webhooks
    where workspace_id = ${ctx.workspaceId} order by created_at, id`
  return { webhooks: [...rows] }
}

/**
 * Creates a webhook that receives events from now on. Returns its signing secret, because all its deliveries
 * are signed. Throws `INVALID_INPUT` if the workspace has too many.
 */
export async function createWebhook(ctx: Ctx, { url, events }: CreateWebhook): Promise<CreatedWebhook> {
  const webhookId = newId('hook')
  const secret = await inTransaction(ctx, async tx => {
    const [{ count } = { count: 0 }] = await tx.sql<{ count: number }[]>`
      select count(*)::int as count from webhooks where workspace_id = ${ctx.workspaceId}`
    if (count >= maxWebhooks)
      throw invalid(`A workspace can have up to ${maxWebhooks} webhooks. Delete one first.`)
    await tx.sql`
      insert into webhooks (workspace_id, id, url, events, created_by, created_at)
      values (${ctx.workspaceId}, ${webhookId}, ${url}, ${[...new Set(events)]}::jsonb, ${ctx.actor.name},
        clock_timestamp())`
    return (await rotateSecret(tx, `webhook:${webhookId}`, 0)).secret
  })
  const { webhooks } = await listWebhooks(ctx, {})
  const webhook = webhooks.find(candidate => candidate.webhookId === webhookId)
  if (webhook === undefined) throw notFound('webhook', webhookId)
  return { webhook, secret }
}

/** Deletes a webhook and withdraws its pending deliveries. */
export async function deleteWebhook(ctx: Ctx, { webhookId }: InWebhook): Promise<{ webhookId: string }> {
  return inTransaction(ctx, async tx => {
    const [deleted] = await tx.sql`
      delete from webhooks where workspace_id = ${ctx.workspaceId} and id = ${webhookId} returning id`
    if (deleted === undefined) throw notFound('webhook', webhookId)
    await tx.sql`
      delete from signing_secrets where workspace_id = ${ctx.workspaceId} and owner = ${`webhook:${webhookId}`}`
    await tx.sql`
      update deliveries set state = 'withdrawn', next_at = null
      where workspace_id = ${ctx.workspaceId} and webhook_id = ${webhookId} and state = 'pending'`
    return { webhookId }
  })
}

/** Creates a new signing secret for a webhook. Earlier secrets stay valid for `overlapSeconds`. */
export async function rotateWebhookSecret(ctx: Ctx, input: RotateWebhookSecret): Promise<NewSecret> {
  const [webhook] = await ctx.sql`
    select id from webhooks where workspace_id = ${ctx.workspaceId} and id = ${input.webhookId}`
  if (webhook === undefined) throw notFound('webhook', input.webhookId)
  return rotateSecret(ctx, `webhook:${input.webhookId}`, input.overlapSeconds)
}
