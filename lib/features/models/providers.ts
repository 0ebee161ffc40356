import { isDeepStrictEqual } from 'node:util'
import { invalid, notFound } from '@waystation/base/api-error.ts'
import type {
  ConfiguredProvider,
  InProvider,
  ListModels,
  Models,
  SaveProvider
} from '@waystation/protocol/workspace/models.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { covers, demand } from '#lib/kernel/scope.ts'
import { allProviders } from '#lib/models/all-providers.ts'
import { type Configured, problemOf } from '#lib/models/configured.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { type ProviderRow, purposeOf, secretsOf } from '#lib/models/read-models.ts'

/** The maximum number of providers in a workspace. */
const maxProviders = 50

/** The kind whose providers have their own names. */
const namedKind = 'openai-compatible'

/** Lists the providers that agents can use. Only owners see values, and secret values are never returned. */
export async function listModels(ctx: Ctx, _: ListModels): Promise<Models> {
  const models = await ctx.ports.modelsOf(ctx)
  const saved = await ctx.sql<{ name: string; savedBy: string; savedAt: string }[]>`
    select name, saved_by, saved_at from model_providers where workspace_id = ${ctx.workspaceId}`
  const mayOwn = covers(ctx.actor, 'own')
  return {
    defaultModel: models.nameOf('default'),
    providers: byKind(models.providers).map(configured =>
      mayOwn && !configured.isServer
        ? {
            ...shown(configured),
            ...valuesOf(configured),
            ...saved.find(({ name }) => name === configured.name)
          }
        : shown(configured)
    ),
    kinds: allProviders
      .filter(({ fields }) => fields.length > 0)
      .map(({ name, title, fields }) => ({
        kind: name,
        title,
        named: name === namedKind,
        fields: fields.map(({ variable: _, ...field }) => field)
      }))
  }
}

/** Sorts providers by their kind, in the order of `allProviders`. A page has its own copies of these objects. */
function byKind(providers: readonly Configured[]): Configured[] {
  const place = ({ provider }: Configured) => allProviders.findIndex(({ name }) => name === provider.name)
  return providers.toSorted((a, b) => place(a) - place(b))
}

const shown = ({ name, provider, isServer }: Configured): ConfiguredProvider => ({
  name,
  kind: provider.name,
  title: provider.title,
  source: isServer ? 'server' : 'workspace',
  models: provider.models.map(model => `${name}/${model}`)
})

/** Returns the values that are not secret, and the names of the secrets. The server's own belong to its operator. */
function valuesOf({ provider, values }: Configured): Pick<ConfiguredProvider, 'values' | 'secrets'> {
  const isSecret = (field: string) => provider.fields.find(({ name }) => name === field)?.secret !== false
  const fields = Object.entries(values)
  return {
    values: Object.fromEntries(fields.filter(([field]) => !isSecret(field))),
    secrets: fields.flatMap(([field]) => (isSecret(field) ? field : []))
  }
}

/**
 * Saves a provider in place of an earlier one with its name. The next step of each session uses it. A secret that is not
 * given keeps its value, but not if another field changes: the new address would receive a key that its owner did not
 * enter for it. Throws `INVALID_INPUT` for an unknown kind, and for values that are missing or cannot be used.
 */
export const saveProvider = (ctx: Ctx, { name, kind = name, values }: SaveProvider): Promise<InProvider> =>
  inTransaction(ctx, async tx => {
    demand(tx.actor, 'own')
    const { workspaceId } = tx
    const provider = kindOf(kind, name)
    const fields = new Map(provider.fields.map(field => [field.name, field]))
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
    for (const [field] of given)
      if (!fields.has(field)) throw invalid(`${provider.title} has no field "${field}".`)
    await tx.sql`select from workspaces where id = ${workspaceId} for no key update`
    const rows = await tx.sql<ProviderRow[]>`
      select name, kind, values, sealed from model_providers where workspace_id = ${workspaceId}`
    const earlier = rows.find(row => row.name === name)
    if (earlier === undefined && rows.length >= maxProviders)
      throw invalid(`A workspace can have up to ${maxProviders} model providers. Remove one first.`)
    const trimmed = Object.fromEntries(given.map(([field, value]) => [field, value.trim()]))
    const isSecret = (field: string) => fields.get(field)?.secret === true
    const open = Object.fromEntries(Object.entries(trimmed).filter(([field]) => !isSecret(field)))
    const entered = Object.fromEntries(Object.entries(trimmed).filter(([field]) => isSecret(field)))
    const keeps = earlier?.kind === kind && isDeepStrictEqual(earlier.values, open)
    const secrets = keeps ? { ...secretsOf(tx, earlier), ...entered } : entered
    const problem = problemOf(provider, { ...open, ...secrets }, false)
    if (problem !== undefined)
      throw invalid(
        earlier === undefined || keeps ? problem : `${problem} After a change, enter the secrets again.`
      )
    const sealed = tx.ports.vault.encrypt(JSON.stringify(secrets), purposeOf(workspaceId, name))
    await recordChange(tx, 'model.saved', name)
    await tx.sql`
      insert into model_providers (workspace_id, name, kind, values, sealed, saved_by, saved_at)
      values (${workspaceId}, ${name}, ${kind}, ${tx.sql.json(open)}, ${sealed}, ${tx.actor.name}, clock_timestamp())
      on conflict (workspace_id, name) do update
        set kind = excluded.kind, values = excluded.values, sealed = excluded.sealed,
          saved_by = excluded.saved_by, saved_at = excluded.saved_at`
    return { name }
  })

/** Returns the kind of a provider. Throws `INVALID_INPUT` if there is none, or if the name belongs to another kind. */
function kindOf(kind: string, name: string): ModelProvider {
  const provider = allProviders.find(candidate => candidate.name === kind && candidate.fields.length > 0)
  if (provider === undefined) {
    const kinds = allProviders.flatMap(({ name, fields }) => (fields.length === 0 ? [] : [name]))
    throw invalid(`There is no kind of model provider "${kind}". Use one of: ${kinds.join(', ')}.`)
  }
  if (kind !== name && (kind !== namedKind || allProviders.some(candidate => candidate.name === name)))
    throw invalid(
      kind === namedKind
        ? `The name "${name}" belongs to another provider. Choose another name.`
        : `This provider must have the name "${kind}".`
    )
  return provider
}

/** Removes a provider. The next step of its agents uses the server's provider of this name, or fails. Throws `NOT_FOUND`. */
export const removeProvider = (ctx: Ctx, { name }: InProvider): Promise<InProvider> =>
  inTransaction(ctx, async tx => {
    demand(tx.actor, 'own')
    const [row] = await tx.sql`
      delete from model_providers where workspace_id = ${tx.workspaceId} and name = ${name} returning name`
    if (row === undefined) throw notFound('model provider', name)
    await recordChange(tx, 'model.removed', name)
    return { name }
  })
