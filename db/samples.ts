import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { AgentConfig as AgentConfigSchema } from '@waystation/protocol/agent/agent.ts'

/** The tools by which the sample agents find and message each other. */
const sessionTools = ['list_sessions', 'get_session_state', 'send_out_of_band'].map(name => ({ name }))

/**
 * Returns the agents of a new workspace. In local mode, `origin` is the origin of this server, which includes a
 * sample external tool (`/samples/dispatcher`). Without an origin, this tool is left out.
 */
export function sampleAgents(origin: string | undefined): AgentConfig[] {
  const dispatch = {
    name: 'dispatch',
    where: 'external' as const,
    title: 'Acme dispatcher',
    description:
      'Hands an order to the Acme dispatcher, an external system that answers when it has planned the order.',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string', description: 'The goods or vehicles to dispatch' } },
      required: ['order']
    },
    url: `${origin}/samples/dispatcher`
  }
  const clerk = AgentConfigSchema.parse({
    agentId: 'acme-clerk',
    displayName: 'Acme clerk',
    description: 'Reads and places orders at Acme, a sample service, with an account that you connect.',
    type: 'chat',
    chat: {
      instructions:
        'You handle orders at Acme. Be brief. If an account is missing, call request_connection. If the user declines, continue without the account.',
      tools: [
        {
          '@ag.embed': {
            '@ag.references': { workflow: { slug: '__ag__request_connection' } },
            '@ag.selector': { path: 'parameters.tool' }
          },
          name: 'request_connection'
        },
        { name: 'discover_connections' },
        { name: 'acme-list-orders' },
        { name: 'acme-create-order', approval: 'ask' },
        { name: 'http-request', services: [{ integration: 'acme' }] },
        ...sessionTools
      ],
      starters: [
        { label: 'Connect my account at Acme', text: 'connect acme' },
        { label: 'Show my orders', text: 'show my orders' },
        { label: 'Order two lamps, with my approval', text: 'order 2 lamps' },
        { label: 'Read my profile with an HTTP request', text: `request ${origin}/samples/acme/api/me` }
      ]
    }
  })
  return [
    ...(origin === undefined ? [] : [clerk]),
    AgentConfigSchema.parse({
      agentId: 'guide',
      displayName: 'Guide',
      description: 'Shows approvals, questions and a tool of an external system.',
      type: 'chat',
      chat: {
        instructions:
          'You are the Waystation guide. Be brief. If the user has a choice to make, call ask-question. Fetch pages with web-fetch. If a call is declined, say so and continue.',
        tools: [
          { name: 'ask-question' },
          { name: 'web-fetch', approval: 'ask' },
          { name: 'client-info' },
          { name: 'alarm-clock' },
          { name: 'list-alarms' },
          { name: 'cancel-alarm' },
          { name: 'spawn-agent' },
          ...sessionTools,
          ...(origin === undefined ? [] : [dispatch])
        ],
        starters: [
          { label: 'Ask me something', text: 'ask me to choose between tea, coffee and water' },
          {
            label: 'Fetch a page, with my approval',
            text: `fetch ${origin === undefined ? 'example.com' : `${origin.replace('http://', '')}/samples/page`}`
          },
          ...(origin === undefined
            ? []
            : [{ label: 'Message an external system', text: 'dispatch two crates of lamp oil' }]),
          { label: 'See what other agents do', text: 'list sessions' }
        ]
      }
    })
  ]
}
