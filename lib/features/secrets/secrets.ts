import { invalid, notFound } from '@waystation/base/api-error.ts'
import type {
  InSecret,
  ListSecrets,
  SaveSecret,
  Secret,
  Secrets
} from '@waystation/protocol/workspace/secret.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { purposeOf } from './read-secrets.ts'

/** The maximum number of secrets in a workspace. */
const maxSecrets = 100

/** Lists the workspace's secrets without their values. */
export async function listSecrets({ sql, workspaceId }: Ctx, _: ListSecrets): Promise<Secrets> {
  const rows = await sql<Secret[]>`
    select name, saved_by, saved_at from workspace_secrets
    where workspace_id = ${workspaceId} order by name collate "C"`
  return { secrets: [...rows] }
}

/**
 * Saves a secret, in place of an earlier one with its name. Within seconds, each process restarts the plugins that use
 * it. Throws `INVALID_INPUT` if the workspace has too many.
 */
export const saveSecret = (ctx: Ctx, { name, value }: SaveSecret): Promise<Secret> =>
  inTransaction(ctx, async tx => {
    const { workspaceId } = tx
    await tx.sql`select from workspaces where id = ${workspaceId} for no key update`
    const [{ others } = { others: 0 }] = await tx.sql<{ others: number }[]>`
      select count(*)::int as others from workspace_secrets where workspace_id = ${workspaceId} and name <> ${name}`
    if (others >= maxSecrets)
      throw invalid(`A workspace can have up to ${maxSecrets} secrets. Remove one first.`)
    const sealed = tx.ports.vault.encrypt(value, purposeOf(workspaceId, name))
    await recordChange(tx, 'secret.saved', name)
    const [row] = await tx.sql<Secret[]>`
      insert into workspace_secrets (workspace_id, name, sealed, saved_by, saved_at)
      values (${workspaceId}, ${name}, ${sealed}, ${tx.actor.name}, clock_timestamp())
      on conflict (workspace_id, name) do update
        set sealed = excluded.sealed, saved_by = excluded.saved_by, saved_at = excluded.saved_at
      returning name, saved_by, saved_at`
    return row!
  })

/** Removes a secret. Plugins that use it stop within seconds. Throws `NOT_FOUND`. */
export const removeSecret = (ctx: Ctx, { name }: InSecret): Promise<{ name: string }> =>
  inTransaction(ctx, async tx => {
    const [row] = await tx.sql`
      delete from workspace_secrets where workspace_id = ${tx.workspaceId} and name = ${name} returning name`
    if (row === undefined) throw notFound('secret', name)
    await recordChange(tx, 'secret.removed', name)
    return { name }
  })
