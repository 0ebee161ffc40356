import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InAgent } from '@waystation/protocol/agent/agent.ts'
import type {
  NewSecret,
  RotateSecret,
  SigningSecret
} from '@waystation/protocol/external-agent/signing-secret.ts'
import { maxSecrets, rotateSecret } from '#lib/deliveries/secrets.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { canEdit } from '#lib/kernel/identity.ts'

/**
 * Creates a signing secret for an agent. From now on, deliveries are signed, and replies need a signature or
 * an API key.
 */
export async function rotateAgentSecret(ctx: Ctx, input: RotateSecret): Promise<NewSecret> {
  await assertAgentExists(ctx, input)
  return rotateSecret(ctx, `agent:${input.agentId}`, input.overlapSeconds)
}

/**
 * Returns the agent's valid signing secrets, newest first: their creator and dates, not the secrets. Throws
 * `FORBIDDEN` unless the caller can edit agents.
 */
export async function listAgentSecrets(ctx: Ctx, input: InAgent): Promise<{ secrets: SigningSecret[] }> {
  if (!canEdit(ctx.actor))
    throw new ApiError(
      'FORBIDDEN',
      'Only owners and editors of this workspace can see the signing secrets of an agent.'
    )
  await assertAgentExists(ctx, input)
  const rows = await ctx.sql<
    { secretId: string; createdBy: string; createdAt: string; retiresAt: string | null }[]
  >`
    select id as secret_id, created_by, created_at, retires_at
    from signing_secrets
    where workspace_id = ${ctx.workspaceId} and owner = ${`agent:${input.agentId}`}
      and (retires_at is null or retires_at > clock_timestamp())
    order by created_at desc limit ${maxSecrets}`
  return {
    secrets: rows.map(({ retiresAt, ...row }) => ({
      ...row,
      ...(retiresAt === null ? {} : { retiresAt })
    }))
  }
}

async function assertAgentExists(ctx: Ctx, { agentId }: InAgent): Promise<void> {
  const [agent] = await ctx.sql`
    select id from agents where workspace_id = ${ctx.workspaceId} and id = ${agentId}`
  if (agent === undefined) throw notFound('agent', agentId)
}
