import type { ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { Reply } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import type { Hook } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** An event as a plugin received it. */
export type ReceivedEvent = { type: string; agentName: string; payload: unknown }

/**
 * Starts a workspace with plugins that have these hooks, in this order, and a session of its agent. `received` contains
 * the events in the order in which the plugins received them.
 */
export async function startWithPlugins(
  hooks: Record<string, { hook: Hook; events?: string; failClosed?: boolean }>,
  script: Reply[],
  settings: Record<string, string> = {},
  /** Additional config of the agent. By default, calls of its plugins' tools need no approval. */
  chat: Partial<ChatAgent['chat']> = { tools: [{ plugin: '*', approval: 'auto' }] }
) {
  const received: ReceivedEvent[] = []
  const blocks: string[] = []
  const plugins = []
  for (const [name, { hook, events, failClosed }] of Object.entries(hooks)) {
    const plugin = await serveTestPlugin({
      name,
      tools: plugins.length === 0 ? tools : [],
      metadata: events === undefined ? {} : { lifecycle_events: events },
      hook(event) {
        received.push(structuredClone(event))
        return hook(event)
      }
    })
    plugins.push(plugin)
    blocks.push(`plugin "${name}" {
      source = "remote://127.0.0.1:${plugin.port}"
      config { fail_closed = ${failClosed ?? false} }
    }`)
  }
  const folder = workspaceFolder(`
      ${blocks.join('\n')}
      agent "billing" { instructions = "You are billing." }
  `)
  const server = await startTestServer({
    script,
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder, ...settings }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  await server.saveAgent({
    agentId: 'triage',
    chat: {
      instructions: 'You are triage.',
      handoffs: ['billing'],
      ...chat
    }
  })
  return { ...server, received, plugins, session: await server.startSession('triage') }
}

const tools = ['echo', 'tally'].map(name => ({
  name,
  description: 'Says it again.',
  parametersJsonSchema: ''
}))
