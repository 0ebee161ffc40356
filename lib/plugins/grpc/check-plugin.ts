import type { LifecycleType } from '#lib/kernel/ports/plugin-host.ts'
import type { Registration } from './ask-self.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { explain } from './explain.ts'
import { PluginError } from './plugin-error.ts'
import { type FaultsOf, usableTools } from './usable-tools.ts'

/** One thing that was looked at. `words`: what is wrong, or what was found. */
export type Finding = { ok: boolean; what: string; words?: string }

/** What a check throws when the plugin is not as it should be. */
const wrong = (words: string) => new PluginError('invalid', words)

const events: Record<LifecycleType, object> = {
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

/** How what a plugin writes in HCL is read; each throws a sentence. */
type Reads = { manifest: (text: string) => { name: string }; view: (text: string) => readonly unknown[] } & {
  faultsOf: FaultsOf
}

/** How many streams a plugin must be able to hold open and still be well. */
const openStreams = 20

/**
 * Looks whether a plugin is as docs/plugins-grpc.md says, in the order in which the platform would call it. What it does not say
 * that it can do is not called, and no tool of its own is run. `model`: the name of one to ask for an answer.
 */
export async function* checkPlugin(
  calls: PluginCalls,
  reads: Reads,
  model?: string
): AsyncGenerator<Finding> {
  let known: Registration | undefined
  let named: string | undefined
  yield await look('GetManifest', async () => {
    const manifest = await calls.manifest()
    named = readable(() => reads.manifest(manifest)).name
  })
  const register = () => calls.register({ config: {}, envVars: {} })
  yield await look('Register', async () => {
    known = await register()
    if (known.name === '') throw wrong('The plugin returns no name.')
    if (named !== undefined && named !== known.name)
      throw wrong(`Its name is “${known.name}”, but its manifest says “${named}”.`)
    if (known.capabilities.length === 0) throw wrong('The plugin returns no capabilities.')
    return `Capabilities of “${known.name}”: ${known.capabilities.join(', ')}.`
  })
  if (known === undefined) return
  const { name, capabilities } = known
  yield await look('Register again, as after a restart of the server', async () => {
    const again = await register()
    if (again.name !== name) throw wrong(`Its name changed to “${again.name}”.`)
  })
  yield await look('Health', async () => {
    if (!(await calls.health())) throw wrong('The plugin reports that it is not serving.')
  })
  if (capabilities.includes('tools')) yield* checkTools(calls, reads)
  if (capabilities.includes('hooks'))
    for (const [type, payload] of Object.entries(events) as [LifecycleType, object][])
      yield await look(`OnEvent ${type}`, async () => {
        const { action } = await calls.onEvent({ type, agentName: 'check', payload })
        return `It returns ${action}.`
      })
  if (capabilities.includes('views')) yield* checkViews(calls, reads)
  if (capabilities.includes('model') && model !== undefined)
    yield await look(`Complete with the model “${model}”`, async () => {
      const messages = [{ role: 'user' as const, content: 'Say hello.' }]
      const parts = await Array.fromAsync(calls.complete({ model, messages, tools: [] }))
      return `It responded in ${parts.length} parts.`
    })
}

async function* checkTools(calls: PluginCalls, { faultsOf }: Reads): AsyncGenerator<Finding> {
  yield await look('ListTools', async () => {
    const { tools, skipped } = await usableTools(await calls.listTools(), faultsOf)
    if (skipped.length > 0) throw wrong(skipped.map(({ name, reason }) => `“${name}”: ${reason}`).join(' '))
    if (tools.length === 0) throw wrong('The plugin lists no tools.')
    return `${tools.map(({ name }) => name).join(', ')}.`
  })
  yield await look('ExecuteTool for a tool that does not exist', async () => {
    const outcome = await calls.executeTool({ name: 'no-such-tool-of-this-plugin', args: {} })
    if (outcome.ok) throw wrong('The plugin returned a result instead of an error.')
    return outcome.reason
  })
}

async function* checkViews(calls: PluginCalls, reads: Reads): AsyncGenerator<Finding> {
  let names: string[] = []
  yield await look('ListViews', async () => {
    const { views, skipped } = await calls.listViews()
    if (skipped.length > 0) throw wrong(skipped.map(({ name, reason }) => `“${name}”: ${reason}`).join(' '))
    names = views.map(view => view.name)
    if (names.length === 0) throw wrong('The plugin lists no views.')
    return `${names.join(', ')}.`
  })
  for (const viewName of names)
    yield await look(`RenderView ${viewName}`, async () => {
      const hcl = await calls.renderView({ viewName, workspaceId: 'check', params: {} })
      if (readable(() => reads.view(hcl)).length === 0)
        throw wrong('The view has no component "…" {…} block.')
    })
  yield await look(`Health while ${openStreams} streams are open`, async () => {
    const over = new AbortController()
    const person = { workspaceId: 'check', userId: 'check', userEmail: 'check@example.com' }
    async function* silence() {
      await new Promise(resolve => over.signal.addEventListener('abort', resolve))
    }
    const streams = Array.from({ length: openStreams }, () =>
      Array.fromAsync(calls.handleStream(person, silence(), over)).catch(explain)
    )
    try {
      if (!(await calls.health())) throw wrong('The plugin reports that it is not serving.')
    } catch (error) {
      throw wrong(`${explain(error).message} If the plugin uses one thread per call, give it more threads.`)
    } finally {
      over.abort()
      await Promise.all(streams)
    }
  })
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

async function look(what: string, work: () => Promise<unknown>): Promise<Finding> {
  try {
    const words = await work()
    return { ok: true, what, ...(typeof words === 'string' ? { words } : {}) }
  } catch (error) {
    return { ok: false, what, words: explain(error).message }
  }
}
