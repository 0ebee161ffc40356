import { type LifecycleType, lifecycleTypes, type PluginManifest } from '#lib/kernel/ports/plugin-host.ts'
import type { SettingField } from '#lib/protocol/plugin/plugin-settings.ts'
import type { Registration } from './ask-self.ts'
import type { PluginTools } from './ask-tools.ts'
import type { PluginViews } from './ask-views.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { PluginError, type PluginFault } from './plugin-error.ts'
import { type FaultsOf, usableTools } from './usable-tools.ts'

/** All that a plugin says of itself when it starts: asked once for each start. */
export type Introduction = Registration & {
  tools: PluginTools
  views: PluginViews
  events: readonly LifecycleType[]
  /** What of all that cannot be used, and why. */
  skipped: { name: string; reason: string }[]
}

/** What a plugin is told when it registers. `config`: the workspace's file's; `saved`: what people saved in its form. */
export type Told = {
  config: Record<string, string>
  saved: Record<string, string>
  envVars: Record<string, string>
  /** Reads a manifest; undefined: nobody wants to know. Throws a sentence. */
  readManifest: (manifest: string) => Promise<PluginManifest | undefined>
  /** What is wrong with the schemas of its tools. */
  faultsOf: FaultsOf
}

/**
 * GetManifest → Register → ListTools and ListViews, of those that have any (003-2, 003-3, 003-9, 003-12). It registers with its
 * manifest's defaults, over them what is saved, and over that what the file says (003-5); what is saved and not in its manifest
 * (any more) it is not told. Throws `PluginError`, `invalid` for one that has another name than the workspace gives it.
 */
export async function introduce(
  calls: Pick<PluginCalls, 'register' | 'manifest' | 'listTools' | 'listViews'>,
  name: string,
  { config, saved, envVars, readManifest, faultsOf }: Told,
  signal: AbortSignal
): Promise<Introduction> {
  const { schema, skipped } = await schemaOf(calls, readManifest, signal)
  const defaults = schema.flatMap(({ name, default: preset }) =>
    preset === undefined ? [] : [[name, preset]]
  )
  const known = Object.entries(saved).filter(([name]) => schema.some(field => field.name === name))
  const merged = { ...Object.fromEntries(defaults), ...Object.fromEntries(known), ...config }
  const registration = await calls.register({ config: merged, envVars }, { signal })
  if (registration.name !== name)
    throw new PluginError(
      'invalid',
      `The plugin's name is “${registration.name}”, but the workspace file says “${name}”. Use the same name for both.`
    )
  const has = (capability: 'tools' | 'views' | 'hooks') => registration.capabilities.includes(capability)
  const tools = has('tools')
    ? await usableTools(await calls.listTools({ signal }), faultsOf)
    : { tools: [], skipped: [] }
  const views = has('views') ? await calls.listViews({ signal }) : { views: [], skipped: [] }
  return {
    ...registration,
    tools,
    views,
    events: has('hooks') ? eventsOf(registration.metadata) : [],
    skipped: [...skipped, ...tools.skipped, ...views.skipped]
  }
}

/** It is there, and gives no manifest that can be used. */
const withoutManifest = new Set<PluginFault>([
  'missing',
  'invalid',
  'refused',
  'unauthorized',
  'busy',
  'failed'
])

/** The settings of its manifest. One without a manifest that can be read has none, and serves all the same. */
async function schemaOf(
  calls: Pick<PluginCalls, 'manifest'>,
  readManifest: Told['readManifest'],
  signal: AbortSignal
): Promise<Pick<Introduction, 'skipped'> & { schema: readonly SettingField[] }> {
  try {
    return { schema: (await readManifest(await calls.manifest({ signal })))?.fields ?? [], skipped: [] }
  } catch (error) {
    if (error instanceof PluginError && !withoutManifest.has(error.fault)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { schema: [], skipped: [{ name: 'manifest', reason }] }
  }
}

/**
 * The events that a plugin wants to hear of (003-15): `lifecycle_events` of its metadata, their names with commas between them;
 * without it all of them. Who wants no LLM_RESPONSE holds no answer back.
 */
function eventsOf({ lifecycle_events: named }: Record<string, string>): readonly LifecycleType[] {
  if (named === undefined) return lifecycleTypes
  const names = named
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const odd = names.find(name => !lifecycleTypes.some(type => type === name))
  if (odd !== undefined)
    throw new PluginError(
      'invalid',
      `The plugin subscribes to “${odd}”, which is not an event. The events are ${lifecycleTypes.join(', ')}.`
    )
  return lifecycleTypes.filter(type => names.includes(type))
}
