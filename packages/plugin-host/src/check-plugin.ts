import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import type { PluginCalls } from './connect-plugin.ts'
import type { LifecycleType, PluginManifest } from './contract.ts'
import { explain } from './explain.ts'
import { eventsOf, type SettingErrors } from './introduce.ts'
import { PluginError } from './plugin-error.ts'
import type { Registration } from './self-calls.ts'
import { type ErrorsOf, usableTools } from './usable-tools.ts'

/** The result of one check. `words` says what is wrong or, if it passed, what the plugin returned. */
export type Finding = { ok: boolean; what: string; words?: string }

const invalid = (message: string) => new PluginError('invalid', message)

const payloads: Record<LifecycleType, object> = {
  AGENT_START: { agent_name: 'check', input: 'Hello' },
  AGENT_END: { agent_name: 'check', input: 'Hello' },
  TURN_START: { agent_name: 'check', turn_number: 1 },
  TURN_END: { agent_name: 'check', turn_number: 1 },
  LLM_REQUEST: { model: 'check', messages: [{ role: 'user', content: 'Hello' }], tools: [] },
  LLM_RESPONSE: { content: 'Hello', tool_calls: [], finish_reason: 'stop' },
  TOOL_CALL: { tool_name: 'check', arguments_json: '{}' },
  TOOL_RESULT: { tool_name: 'check', result_json: '{}', is_error: false },
  HANDOFF: { from_agent: 'check', to_agent: 'other', context: '' }
}

/** How to call the plugin: a model to send a prompt to, settings, and variables for Register. */
type CheckOptions = {
  model?: string | undefined
  settings?: Record<string, string>
  envVars?: Record<string, string>
}

/** The readers of a plugin's HCL. Each throws an Error with a sentence. */
type Parsers = {
  manifest: (text: string) => Promise<PluginManifest>
  /** Returns the errors of settings, by name. */
  settingErrors: SettingErrors
  view: (text: string) => readonly unknown[]
} & {
  errorsOf: ErrorsOf
}

/** The number of open streams that a plugin must handle and still report that it is healthy. */
const openStreams = 20

/**
 * Checks whether a plugin conforms to docs/plugins-grpc.md, calling it in the same order as the platform. Only
 * declared capabilities are called, and none of its tools is run. `settings` override the manifest's defaults.
 */
export async function* checkPlugin(
  calls: PluginCalls,
  parsers: Parsers,
  { model, settings = {}, envVars = {} }: CheckOptions = {}
): AsyncGenerator<Finding> {
  let registration: Registration | undefined
  let manifestName: string | undefined
  let fields: readonly SettingField[] | undefined
  yield await check('GetManifest', async () => {
    const text = await calls.manifest()
    const manifest = await parsers.manifest(text).catch(rejected)
    manifestName = manifest.name
    fields = manifest.fields
    const { warnings = [] } = manifest
    return warnings.map(warning => `Warning: ${warning}`).join('\n       ')
  })
  if (Object.keys(settings).length > 0)
    yield await check('Settings', async () => {
      const names = fields?.map(({ name }) => name) ?? []
      const unknown = Object.keys(settings).find(name => !names.includes(name))
      if (unknown !== undefined)
        throw invalid(
          `The manifest has no setting “${unknown}”. Its settings: ${names.join(', ') || 'none'}.`
        )
      const errors = await parsers.settingErrors(fields ?? [], settings)
      for (const [name, value] of Object.entries(settings))
        if (errors[name] !== undefined) throw invalid(`“${name}=${value}”: ${errors[name]}.`)
    })
  const defaults = fields?.flatMap(field =>
    field.default === undefined ? [] : [[field.name, field.default]]
  )
  const config = { ...Object.fromEntries(defaults ?? []), ...settings }
  const register = () => calls.register({ config, envVars })
  yield await check('Register', async () => {
    registration = await register().catch((error: unknown) => {
      const missing = fields?.find(({ name, required }) => required && config[name] === undefined)
      if (missing === undefined) throw error
      const { message } = explain(error)
      const why = message.includes(missing.name) ? '' : ` The setting “${missing.name}” is required.`
      throw invalid(`${message}${why} Add -- --set ${missing.name}=value.`)
    })
    if (registration.name === '') throw invalid('The plugin returns no name.')
    if (!/^[\w-]{1,64}$/.test(registration.name))
      throw invalid(
        `Its name is “${registration.name}”. Use up to 64 letters, digits, - and _, as in a workspace file.`
      )
    if (manifestName !== undefined && manifestName !== registration.name)
      throw invalid(`Its name is “${registration.name}”, but its manifest says “${manifestName}”.`)
    if (registration.capabilities.length === 0) throw invalid('The plugin returns no capabilities.')
    return `Capabilities of “${registration.name}”: ${registration.capabilities.join(', ')}.`
  })
  if (registration === undefined) return
  const { name, capabilities } = registration
  yield await check('Register again, as after a restart of the server', async () => {
    const second = await register()
    if (second.name !== name) throw invalid(`Its name changed to “${second.name}”.`)
  })
  yield await check('Health', async () => {
    if (!(await calls.health())) throw invalid('The plugin reports that it is not serving.')
  })
  if (capabilities.includes('tools')) yield* checkTools(calls, parsers)
  if (capabilities.includes('hooks')) yield* checkHooks(calls, registration)
  if (capabilities.includes('views')) yield* checkViews(calls, parsers)
  if (capabilities.includes('model') && model !== undefined)
    yield await check(`Complete with the model “${model}”`, async () => {
      const messages = [{ role: 'user' as const, content: 'Say hello.' }]
      const parts = await Array.fromAsync(calls.complete({ model, messages, tools: [] }))
      return `It responded in ${parts.length} parts.`
    })
}

async function* checkTools(calls: PluginCalls, { errorsOf }: Parsers): AsyncGenerator<Finding> {
  yield await check('ListTools', async () => {
    const { tools, skipped } = await usableTools(await calls.listTools(), errorsOf)
    if (skipped.length > 0) throw invalid(skipped.map(({ name, reason }) => `“${name}”: ${reason}`).join(' '))
    if (tools.length === 0) throw invalid('The plugin lists no tools.')
    return `${tools.map(({ name }) => name).join(', ')}.`
  })
  yield await check('ExecuteTool for a tool that does not exist', async () => {
    const outcome = await calls.executeTool({ name: 'no-such-tool-of-this-plugin', args: {} })
    if (outcome.ok) throw invalid('The plugin returned a result instead of an error.')
    return outcome.reason
  })
}

/** Sends the events that the plugin subscribes to, as the platform does. */
async function* checkHooks(calls: PluginCalls, { metadata }: Registration): AsyncGenerator<Finding> {
  let types: readonly LifecycleType[] = []
  yield await check('Events', async () => {
    types = eventsOf(metadata)
    return `${types.join(', ')}.`
  })
  for (const type of types)
    yield await check(`OnEvent ${type}`, async () => {
      const { action } = await calls.onEvent({ type, agentName: 'check', payload: payloads[type] })
      return `It returns ${action}.`
    })
}

async function* checkViews(calls: PluginCalls, parsers: Parsers): AsyncGenerator<Finding> {
  let names: string[] = []
  yield await check('ListViews', async () => {
    const { views, skipped } = await calls.listViews()
    if (skipped.length > 0) throw invalid(skipped.map(({ name, reason }) => `“${name}”: ${reason}`).join(' '))
    names = views.map(view => view.name)
    if (names.length === 0) throw invalid('The plugin lists no views.')
    return `${names.join(', ')}.`
  })
  for (const viewName of names)
    yield await check(`RenderView ${viewName}`, async () => {
      const hcl = await calls.renderView({ viewName, workspaceId: 'check', params: {} })
      if (parsed(() => parsers.view(hcl)).length === 0) return 'It is empty.'
    })
  yield await check(`Health while ${openStreams} streams are open`, async () => {
    const done = new AbortController()
    const person = { workspaceId: 'check', userId: 'check', userEmail: 'check@example.com' }
    async function* silence() {
      await new Promise(resolve => done.signal.addEventListener('abort', resolve))
    }
    const streams = Array.from({ length: openStreams }, () =>
      Array.fromAsync(calls.handleStream(person, silence(), done)).catch(explain)
    )
    try {
      if (!(await calls.health())) throw invalid('The plugin reports that it is not serving.')
    } catch (error) {
      throw invalid(`${explain(error).message} If the plugin uses one thread per call, give it more threads.`)
    } finally {
      done.abort()
      await Promise.all(streams)
    }
  })
}

function parsed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return rejected(error)
  }
}

function rejected(error: unknown): never {
  throw invalid(error instanceof Error ? error.message : String(error))
}

async function check(what: string, work: () => Promise<unknown>): Promise<Finding> {
  try {
    const summary = await work()
    return { ok: true, what, ...(typeof summary === 'string' ? { words: summary } : {}) }
  } catch (error) {
    return { ok: false, what, words: explain(error).message }
  }
}
