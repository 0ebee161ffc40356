import { notFound } from '@waystation/base/api-error.ts'
import { z } from 'zod'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { demand } from '#lib/kernel/scope.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'

export const RotateLinkSecret = z.object({})
export type RotateLinkSecret = z.infer<typeof RotateLinkSecret>

export const RotatedLinkSecret = z.object({ rotatedAt: z.iso.datetime() })
export type RotatedLinkSecret = z.infer<typeof RotatedLinkSecret>

/**
 * Replaces the secret that signs the workspace's links. From the commit on, every process refuses older answer links,
 * answer pages and callback links. Links are checked against the stored secret. Cached callback links have a stamp that
 * includes it.
 */
export async function rotateLinkSecret(ctx: Ctx, _: RotateLinkSecret): Promise<RotatedLinkSecret> {
  demand(ctx.actor, 'own')
  return inTransaction(ctx, async tx => {
    const [rotated] = await tx.sql`
      update workspaces set link_secret = ${newLinkSecret()} where id = ${tx.workspaceId} returning id`
    if (rotated === undefined) throw notFound('workspace', tx.workspaceId)
    const rotatedAt = await recordChange(tx, 'link-secret.rotated')
    return { rotatedAt: rotatedAt.toISOString() }
  })
}
