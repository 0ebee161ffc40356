import { log } from '@waystation/base/log.ts'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import { reencryptSealed } from '#lib/kernel/reencrypt-sealed.ts'
import { allProviders } from './all-providers.ts'
import type { Configured, ConfiguredModels } from './configured.ts'
import { modelsOf, type WorkspaceModels } from './workspace-models.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** Reads the models that the context's workspace can use now. */
    readonly modelsOf: (ctx: Ctx) => Promise<WorkspaceModels>
    /** Describes an error of a call of this model. */
    readonly describeModelError: (error: unknown, models: WorkspaceModels, spec: string) => ModelProblem
  }
}

/** A row of `model_providers`. */
export type ProviderRow = { name: string; kind: string; values: Record<string, string>; sealed: string }

/** Binds encrypted values to their row, so that they cannot be decrypted in another one. */
export const purposeOf = (workspaceId: string, name: string) => `model provider\n${workspaceId}\n${name}`

/**
 * Returns a function that reads the models of a workspace: its own providers, and those of the server whose names it
 * does not use. A provider of the workspace has only the workspace's values, so that no key of the server is sent to an
 * address that an owner chose.
 *
 * @param server the providers and the default model of the server's environment
 * @param fetch sends the requests of the workspaces' providers
 */
export function modelReader(
  server: ConfiguredModels,
  fetch: typeof globalThis.fetch
): (ctx: Ctx) => Promise<WorkspaceModels> {
  const known = new LRUCache<string, { mark: string; models: WorkspaceModels }>({ max: 1000 })
  const plain = modelsOf(server)
  return async ctx => {
    const { workspaceId } = ctx
    const [row] = await ctx.sql<{ defaultModel: string | null; rows: ProviderRow[] | null }[]>`
      select w.default_model, (
        select jsonb_agg(jsonb_build_object('name', name, 'kind', kind, 'values', values, 'sealed', sealed))
        from model_providers where workspace_id = w.id) as rows
      from workspaces w where w.id = ${workspaceId}`
    if (row === undefined || (row.rows === null && row.defaultModel === null)) return plain
    const mark = JSON.stringify(row)
    const cached = known.get(workspaceId)
    if (cached?.mark === mark) return cached.models
    const providers = new Map(server.providers)
    for (const saved of row.rows ?? []) {
      const provider = configured(ctx, saved, fetch)
      if (provider !== undefined) providers.set(saved.name, provider)
    }
    const models = modelsOf({ providers, defaultModel: row.defaultModel ?? server.defaultModel })
    known.set(workspaceId, { mark, models })
    return models
  }
}

/**
 * Decrypts a provider. One whose key is lost stays in the list, and its models say that they have no key. Logs and returns
 * nothing for a kind that this version does not have, so that the other providers work.
 */
function configured(ctx: Ctx, row: ProviderRow, fetch: typeof globalThis.fetch): Configured | undefined {
  const provider = allProviders.find(({ name }) => name === row.kind)
  if (provider === undefined) {
    log('error', 'this version has no such kind of model provider', { kind: row.kind, name: row.name })
    return undefined
  }
  return {
    name: row.name,
    provider,
    values: { ...row.values, ...secretsOf(ctx, row) },
    isServer: false,
    fetch
  }
}

/** Returns the secret values of a provider. Logs and returns none if they cannot be decrypted. */
export function secretsOf(
  { ports, workspaceId }: Ctx,
  { name, sealed }: ProviderRow
): Record<string, string> {
  try {
    return JSON.parse(ports.vault.decrypt(sealed, purposeOf(workspaceId, name)))
  } catch (error) {
    log('error', 'the key of a model provider cannot be decrypted; save it again', {
      workspaceId,
      name,
      error
    })
    return {}
  }
}

/** Encrypts the keys of model providers with the newest key of the vault. */
export const reencryptProviders = (ctx: Ctx): Promise<void> =>
  reencryptSealed(ctx, 'model_providers', purposeOf)
