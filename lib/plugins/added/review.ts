import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { HclError } from '@waystation/hcl'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import type { PluginAt } from '@waystation/plugin-host/contract.ts'
import { PluginError } from '@waystation/plugin-host/plugin-error.ts'
import type { InspectPlugin, PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import type { InPlugin } from '@waystation/protocol/plugin/plugin.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { unavailable } from '#lib/plugins/views/views.ts'
import { checkAddress } from './address.ts'
import { type AddedRow, addedRows } from './rows.ts'

/**
 * Reads what the plugin at an address provides, once and within the egress rules, so that an owner can review it
 * (003-3). Throws `INVALID_INPUT` with `fields` if the address cannot be called, and `UNAVAILABLE` with the reason if
 * the plugin does not respond as it should.
 */
export const inspectPlugin = async (ctx: Ctx, { settings, ...at }: InspectPlugin): Promise<PluginReview> =>
  review(ctx, checkAddress(at), asText(settings))

/** Reads again what an added plugin provides, with its saved settings. Throws like `inspectPlugin`. */
export async function inspectAddedPlugin(ctx: Ctx, { plugin: name }: InPlugin): Promise<PluginReview> {
  const row = await addedRow(ctx, name)
  const [saved] = await ctx.sql<{ settings: Record<string, string> }[]>`
    select settings from plugin_settings where workspace_id = ${ctx.workspaceId} and plugin = ${name}`
  return review(ctx, atOf(row), saved?.settings ?? {})
}

/** Returns an added plugin. Throws `NOT_FOUND`. */
export async function addedRow(ctx: Ctx, name: string): Promise<AddedRow> {
  const row = (await addedRows(ctx, ctx.workspaceId)).find(row => row.name === name)
  if (row === undefined) throw notFound('plugin that was added by its address,', name)
  return row
}

/** Returns the address of an added plugin. */
export const atOf = ({ source, pin, ca }: Pick<AddedRow, 'source' | 'pin' | 'ca'>): PluginAt => ({
  source,
  pin: pin ?? undefined,
  ca: ca ?? undefined
})

/** Returns settings as text. */
export const asText = (settings: InspectPlugin['settings']): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))

/** Reads what the plugin at a checked address provides, registered with these settings. */
async function review(ctx: Ctx, at: PluginAt, saved: Record<string, string>): Promise<PluginReview> {
  const found = await ctx.ports.plugins?.inspect(ctx.workspaceId, at, saved).catch(error => {
    throw inWords(error)
  })
  if (found === undefined) throw new ApiError('UNAVAILABLE', 'This process runs no plugins. Try again later.')
  const { manifest, version, capabilities, events, tools, views, skipped, problem } = found
  const { name, about, fields } = manifest
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw invalid(
      'A plugin needs a name of 1 to 64 letters, digits, - and _. Change the name in its manifest.'
    )
  const { secure, target } = parseAddress(at.source)
  return {
    name,
    source: at.source,
    version,
    about,
    capabilities,
    events: [...events],
    tools: tools.map(({ name, description }) => ({ name, description })),
    views: views.map(({ name, label }) => ({ name, label })),
    settings: [...fields],
    skipped: [...skipped],
    ...(problem === undefined ? {} : { problem }),
    plainText: !secure && !isLoopback(target.host),
    digest: digestOf({ name, version, about, capabilities, events, tools, views, fields })
  }
}

function inWords(error: unknown): unknown {
  if (error instanceof PluginError && error.reason === 'blocked')
    return invalid(error.message, { source: error.message })
  if (!(error instanceof HclError)) return unavailable(error)
  return new ApiError('UNAVAILABLE', `The plugin's manifest cannot be read: ${error.message}`)
}
