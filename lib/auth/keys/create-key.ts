import { newId } from '@waystation/base/ids.ts'
import { defaultTrust, OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { z } from 'zod'
import { apiKeys } from '#db/schema/workspaces.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import { hashOfKey, newKeySecret, prefixOfKey } from './key-secret.ts'
import { ApiKey, toApiKey } from './list-keys.ts'

/** `outOfBand` limits its out-of-band messages. By default, it sends as `external` and up to the priority `high`. */
export const CreateKey = z.strictObject({
  name: z.string().trim().min(1).max(80),
  role: ApiKey.shape.role.default('editor'),
  outOfBand: OobTrust.optional()
})
export type CreateKey = z.infer<typeof CreateKey>

export const CreatedKey = z.object({ key: ApiKey, secret: z.string() })
export type CreatedKey = z.infer<typeof CreatedKey>

/**
 * Creates an API key of this workspace. Only this answer contains `secret`, because the server stores only its SHA-256.
 */
export async function createKey(ctx: Ctx, input: CreateKey): Promise<CreatedKey> {
  demand(ctx.actor, 'own')
  const { name, role, outOfBand = defaultTrust } = input
  const secret = newKeySecret()
  const [row] = await ctx.db
    .insert(apiKeys)
    .values({
      id: newId('key'),
      workspaceId: ctx.workspaceId,
      name,
      role,
      outOfBand,
      hash: hashOfKey(secret),
      prefix: prefixOfKey(secret),
      createdBy: ctx.actor.name
    })
    .returning()
  return { key: toApiKey(row!), secret }
}
