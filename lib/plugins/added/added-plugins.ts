import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type {
  AcceptPlugin,
  AddPlugin,
  ChangePlugin,
  PluginReview
} from '@waystation/protocol/plugin/added-plugin.ts'
import type { InPlugin, PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { getGrpcPlugin } from '#lib/plugins/hosted.ts'
import { validateSettings } from '#lib/plugins/settings/validate-settings.ts'
import { checkAddress } from './address.ts'
import { addedRow, asText, atOf, inspectAddedPlugin, inspectPlugin } from './review.ts'

/** The maximum number of added plugins in a workspace. Every process runs each of them. */
const maxPlugins = 50

/**
 * Adds a plugin that an owner reviewed (003-3). Within seconds, each process runs it. Throws `CONFLICT` if it is not
 * what `digest` identifies, or if its name is in use, and else like `inspectPlugin`.
 */
export async function addPlugin(
  ctx: Ctx,
  { failClosed, digest, ...input }: AddPlugin
): Promise<PluginDetails> {
  const { settings: given, source, pin, ca } = input
  const review = await inspectPlugin(ctx, input)
  expectReviewed(review, digest)
  const { name, version, capabilities, settings: fields } = review
  const settings = await validateSettings(fields, asText(given), { fixed: [], patterns: ctx.ports.patterns })
  if ('errors' in settings) throw invalid('validation failed', settings.errors)
  if (ctx.ports.plugins?.of(ctx.workspaceId).some(plugin => plugin.name === name && !plugin.isAdded))
    throw nameInUse(name)
  const at = checkAddress({ source, pin, ca })
  await inTransaction(ctx, async tx => {
    await tx.sql`select from workspaces where id = ${tx.workspaceId} for no key update`
    const [{ count } = { count: 0 }] = await tx.sql<{ count: number }[]>`
      select count(*)::int as count from workspace_plugins where workspace_id = ${tx.workspaceId}`
    if (count >= maxPlugins)
      throw invalid(`A workspace can have up to ${maxPlugins} added plugins. Remove one first.`)
    const addedAt = await recordChange(tx, 'plugin.added', name)
    const [row] = await tx.sql`
      insert into workspace_plugins (workspace_id, name, source, pin, ca, fail_closed, disabled, version,
        capabilities, digest, added_by, added_at, changed_at)
      values (${tx.workspaceId}, ${name}, ${at.source}, ${at.pin ?? null}, ${at.ca ?? null}, ${failClosed}, false,
        ${version}, ${capabilities}::jsonb, ${digest}, ${tx.actor.name}, ${addedAt}, clock_timestamp())
      on conflict do nothing returning name`
    if (row === undefined) throw nameInUse(name)
    await tx.sql`
      insert into plugin_settings (workspace_id, plugin, settings, saved_by, saved_at)
      values (${tx.workspaceId}, ${name}, ${settings.settings}::jsonb, ${tx.actor.name}, clock_timestamp())
      on conflict (workspace_id, plugin) do update
        set settings = excluded.settings, saved_by = excluded.saved_by, saved_at = excluded.saved_at`
  })
  return getGrpcPlugin(ctx, { plugin: name })
}

/**
 * Changes the address of an added plugin, or disables or enables it. Its accepted capabilities stay. Throws
 * `NOT_FOUND`, or `INVALID_INPUT` with `fields`.
 */
export async function changePlugin(
  ctx: Ctx,
  { plugin: name, failClosed, disabled, ...change }: ChangePlugin
): Promise<PluginDetails> {
  await inTransaction(ctx, async tx => {
    await tx.sql`select from workspace_plugins where workspace_id = ${tx.workspaceId} and name = ${name} for update`
    const row = await addedRow(tx, name)
    const { source = row.source, pin = row.pin, ca = row.ca } = change
    const at = checkAddress(atOf({ source, pin, ca }))
    await tx.sql`
      update workspace_plugins set source = ${at.source}, pin = ${at.pin ?? null}, ca = ${at.ca ?? null},
        fail_closed = ${failClosed ?? row.failClosed}, disabled = ${disabled ?? row.disabled},
        changed_at = clock_timestamp()
      where workspace_id = ${tx.workspaceId} and name = ${name}`
    await recordChange(tx, 'plugin.changed', name)
  })
  return getGrpcPlugin(ctx, { plugin: name })
}

/**
 * Accepts what an added plugin provides now. Throws `NOT_FOUND`, `CONFLICT` if that is not what `digest` identifies,
 * and else like `inspectPlugin`.
 */
export async function acceptPlugin(ctx: Ctx, { plugin, digest }: AcceptPlugin): Promise<PluginDetails> {
  const review = await inspectAddedPlugin(ctx, { plugin })
  expectReviewed(review, digest)
  const { name, source, version, capabilities } = review
  await inTransaction(ctx, async tx => {
    const [row] = await tx.sql`
      update workspace_plugins
      set version = ${version}, capabilities = ${capabilities}::jsonb, digest = ${digest},
        changed_at = clock_timestamp()
      where workspace_id = ${tx.workspaceId} and name = ${plugin} and name = ${name} and source = ${source}
      returning name`
    if (row === undefined) throw changed(plugin)
    await recordChange(tx, 'plugin.accepted', plugin)
  })
  return getGrpcPlugin(ctx, { plugin })
}

/** Removes an added plugin and its saved settings. Within seconds, each process stops it. Throws `NOT_FOUND`. */
export async function removePlugin(ctx: Ctx, { plugin }: InPlugin): Promise<{ plugin: string }> {
  await addedRow(ctx, plugin)
  await inTransaction(ctx, async tx => {
    const [row] = await tx.sql`
      delete from workspace_plugins where workspace_id = ${tx.workspaceId} and name = ${plugin} returning name`
    if (row === undefined) return
    await tx.sql`delete from plugin_settings where workspace_id = ${tx.workspaceId} and plugin = ${plugin}`
    await recordChange(tx, 'plugin.removed', plugin)
  })
  return { plugin }
}

function expectReviewed({ name, problem, digest: found }: PluginReview, digest: string): void {
  if (found !== digest) throw changed(name)
  if (problem !== undefined)
    throw invalid(
      `The plugin refused to register: ${problem} Enter its settings, and read its manifest again.`
    )
}

const changed = (name: string) =>
  new ApiError(
    'CONFLICT',
    `The plugin “${name}” is not what you reviewed, so nothing was accepted. Read its manifest again.`
  )

const nameInUse = (name: string) =>
  new ApiError(
    'CONFLICT',
    `This workspace already has a plugin “${name}”. Remove it first, or change the name in the manifest of the new one.`
  )
