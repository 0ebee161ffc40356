import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { type LifecycleType, lifecycleTypes, type PluginInspection, type PluginManifest } from './contract.ts'
import { explain } from './explain.ts'
import { PluginError, type PluginErrorReason } from './plugin-error.ts'
import type { Capability, Registration } from './self-calls.ts'
import type { PluginTools } from './tool-calls.ts'
import { type ErrorsOf, usableTools } from './usable-tools.ts'
import type { PluginViews } from './view-calls.ts'

/** Everything that a plugin reports about itself at a start. */
export type PluginDescription = Registration & {
  tools: PluginTools
  views: PluginViews
  events: readonly LifecycleType[]
  /** The capabilities that no owner has accepted. They are not used. */
  withheld: Capability[]
  /** The parts that cannot be used, with the reason. */
  skipped: { name: string; reason: string }[]
}

/** The input of a registration. `config` is from the workspace file, `saved` from the settings form. */
export type RegistrationInput = {
  config: Record<string, string>
  saved: Record<string, string>
  envVars: Record<string, string>
  /** The only capabilities to use. Undefined: all that the plugin declares. */
  accepted?: readonly Capability[] | undefined
  /** Parses a manifest, or returns undefined if it is not needed. Throws an Error with a sentence. */
  readManifest: (manifest: string) => Promise<PluginManifest | undefined>
  /** Checks the schemas of its tools. */
  errorsOf: ErrorsOf
  /** Returns the errors of settings, by name. */
  settingErrors: SettingErrors
}

export type SettingErrors = (
  fields: readonly SettingField[],
  settings: Record<string, string>
) => Promise<Record<string, string>>

/**
 * Calls GetManifest, Register, then ListTools and ListViews if the plugin has them (003-2, 003-3, 003-9,
 * 003-12). The registered settings are the manifest's defaults, overridden by saved values, overridden by the
 * workspace file (003-5). Saved values that the manifest does not declare are left out. Throws `PluginError`,
 * with `invalid` if the plugin's name differs from the workspace file.
 */
export async function introduce(
  calls: Pick<PluginCalls, 'register' | 'manifest' | 'listTools' | 'listViews'>,
  name: string,
  { config, saved, envVars, accepted, readManifest, errorsOf, settingErrors }: RegistrationInput,
  signal: AbortSignal
): Promise<PluginDescription> {
  const { schema, skipped } = await schemaOf(calls, readManifest, signal)
  const defaults = schema.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]))
  const declared = Object.entries(saved).filter(([name]) => schema.some(field => field.name === name))
  const unknown = Object.keys(config).filter(name => !schema.some(field => field.name === name))
  // A plugin without a manifest can have settings too.
  const undeclared = schema.length === 0 ? [] : unknown.map(toUndeclared)
  const errors = schema.length === 0 ? {} : await settingErrors(schema, config)
  const wrong = Object.keys(config).filter(name => !unknown.includes(name) && errors[name] !== undefined)
  const merged = { ...Object.fromEntries(defaults), ...Object.fromEntries(declared), ...config }
  const registration = await calls.register({ config: merged, envVars }, { signal })
  if (registration.name !== name)
    throw new PluginError(
      'invalid',
      `The plugin's name is “${registration.name}”, but ${accepted ? 'it was added as' : 'the workspace file says'} “${name}”. Use the same name for both.`
    )
  const isAccepted = (capability: Capability) => accepted?.includes(capability) ?? true
  const capabilities = registration.capabilities.filter(isAccepted)
  const has = (capability: Capability) => capabilities.includes(capability)
  const tools = has('tools')
    ? await usableTools(await calls.listTools({ signal }), errorsOf)
    : { tools: [], skipped: [] }
  const views = has('views') ? await calls.listViews({ signal }) : { views: [], skipped: [] }
  return {
    ...registration,
    capabilities,
    withheld: registration.capabilities.filter(capability => !isAccepted(capability)),
    tools,
    views,
    events: has('hooks') ? eventsOf(registration.metadata) : [],
    skipped: [
      ...skipped,
      ...undeclared,
      ...wrong.map(name => toWrong(name, errors[name]!)),
      ...tools.skipped,
      ...views.skipped
    ]
  }
}

/**
 * Reads the manifest of a plugin and registers it once to show what it provides. `problem` says why
 * it refused to register, for example without its settings. Throws an Error if its manifest cannot be read.
 */
export async function inspect(
  calls: Pick<PluginCalls, 'register' | 'manifest' | 'listTools' | 'listViews'>,
  {
    saved,
    envVars,
    readManifest,
    errorsOf
  }: Omit<RegistrationInput, 'config' | 'accepted' | 'settingErrors'>,
  signal: AbortSignal
): Promise<PluginInspection> {
  const text = await calls.manifest({ signal })
  const manifest = await readManifest(text)
  if (manifest === undefined) throw new PluginError('invalid', 'The plugin has no manifest.')
  try {
    const input = {
      config: {},
      saved,
      envVars,
      readManifest: async () => manifest,
      errorsOf,
      settingErrors: async () => ({})
    }
    const known = { ...calls, manifest: async () => text }
    const { capabilities, events, metadata, skipped, tools, views } = await introduce(
      known,
      manifest.name,
      input,
      signal
    )
    const version = metadata.version ?? manifest.about.version
    return { manifest, version, capabilities, events, skipped, tools: tools.tools, views: views.views }
  } catch (error) {
    if (signal.aborted) throw error
    const { message } = explain(error)
    const nothing = { capabilities: [], events: [], skipped: [], tools: [], views: [] }
    return { manifest, version: manifest.about.version, ...nothing, problem: message }
  }
}

const toWrong = (name: string, error: string) => ({
  name: 'manifest',
  reason: `The workspace file sets “${name}” to a value that it does not permit: ${error}.`
})

const toUndeclared = (name: string) => ({
  name: 'manifest',
  reason: `It does not declare the setting “${name}”, which has a value.`
})

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
export function eventsOf({ lifecycle_events: named }: Record<string, string>): readonly LifecycleType[] {
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
