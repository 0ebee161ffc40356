import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { type LifecycleType, lifecycleTypes, type PluginManifest } from './contract.ts'
import { PluginError, type PluginErrorReason } from './plugin-error.ts'
import type { Registration } from './self-calls.ts'
import type { PluginTools } from './tool-calls.ts'
import { type ErrorsOf, usableTools } from './usable-tools.ts'
import type { PluginViews } from './view-calls.ts'

/** Everything that a plugin reports about itself at a start. */
export type PluginDescription = Registration & {
  tools: PluginTools
  views: PluginViews
  events: readonly LifecycleType[]
  /** The parts that cannot be used, with the reason. */
  skipped: { name: string; reason: string }[]
}

/** The input of a registration. `config` is from the workspace file, `saved` from the settings form. */
export type RegistrationInput = {
  config: Record<string, string>
  saved: Record<string, string>
  envVars: Record<string, string>
  /** Parses a manifest, or returns undefined if it is not needed. Throws an Error with a sentence. */
  readManifest: (manifest: string) => Promise<PluginManifest | undefined>
  /** Checks the schemas of its tools. */
  errorsOf: ErrorsOf
}

/**
 * Calls GetManifest, Register, then ListTools and ListViews if the plugin has them (003-2, 003-3, 003-9,
 * 003-12). The registered settings are the manifest's defaults, overridden by saved values, overridden by the
 * workspace file (003-5). Saved values that the manifest does not declare are left out. Throws `PluginError`,
 * with `invalid` if the plugin's name differs from the workspace file.
 */
export async function introduce(
  calls: Pick<PluginCalls, 'register' | 'manifest' | 'listTools' | 'listViews'>,
  name: string,
  { config, saved, envVars, readManifest, errorsOf }: RegistrationInput,
  signal: AbortSignal
): Promise<PluginDescription> {
  const { schema, skipped } = await schemaOf(calls, readManifest, signal)
  const defaults = schema.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]))
  const declared = Object.entries(saved).filter(([name]) => schema.some(field => field.name === name))
  const merged = { ...Object.fromEntries(defaults), ...Object.fromEntries(declared), ...config }
  const registration = await calls.register({ config: merged, envVars }, { signal })
  if (registration.name !== name)
    throw new PluginError(
      'invalid',
      `The plugin's name is “${registration.name}”, but the workspace file says “${name}”. Use the same name for both.`
    )
  const has = (capability: 'tools' | 'views' | 'hooks') => registration.capabilities.includes(capability)
  const tools = has('tools')
    ? await usableTools(await calls.listTools({ signal }), errorsOf)
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

/** Errors of a plugin that is reachable but returns no usable manifest. */
const withoutManifest = new Set<PluginErrorReason>([
  'missing',
  'invalid',
  'refused',
  'unauthorized',
  'busy',
  'failed'
])

/** Returns the settings of the manifest. A plugin without a readable manifest has none, and still serves. */
async function schemaOf(
  calls: Pick<PluginCalls, 'manifest'>,
  readManifest: RegistrationInput['readManifest'],
  signal: AbortSignal
): Promise<Pick<PluginDescription, 'skipped'> & { schema: readonly SettingField[] }> {
  try {
    const { fields = [], warnings = [] } = (await readManifest(await calls.manifest({ signal }))) ?? {}
    return { schema: fields, skipped: warnings.map(reason => ({ name: 'manifest', reason })) }
  } catch (error) {
    if (error instanceof PluginError && !withoutManifest.has(error.reason)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { schema: [], skipped: [{ name: 'manifest', reason }] }
  }
}

/**
 * Returns the events that a plugin subscribes to (003-15): the comma-separated `lifecycle_events` of its
 * metadata, or all events if that is not set. A response is held back only for plugins that subscribe to
 * LLM_RESPONSE.
 */
function eventsOf({ lifecycle_events: named }: Record<string, string>): readonly LifecycleType[] {
  if (named === undefined) return lifecycleTypes
  const names = named
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const unknown = names.find(name => !lifecycleTypes.some(type => type === name))
  if (unknown !== undefined)
    throw new PluginError(
      'invalid',
      `The plugin subscribes to “${unknown}”, which is not an event. The events are ${lifecycleTypes.join(', ')}.`
    )
  return lifecycleTypes.filter(type => names.includes(type))
}
