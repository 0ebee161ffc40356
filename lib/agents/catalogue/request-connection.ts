import type { ReferenceTool } from '@waystation/protocol/agent/agent.ts'
import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'

const integration = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'The integration, as discover_connections names it. Example: "github".'
}

const tool: ReferenceTool = {
  name: 'request_connection',
  where: 'browser',
  title: 'Request a connection',
  description:
    'Ask the user to connect an account, and wait until they connect it or decline. Use this tool when a task needs an account that is not connected. You never see the credentials, only whether the account is connected. If it is not, request it again only if the user wants that. Otherwise continue without it.',
  inputSchema: {
    type: 'object',
    properties: {
      integration,
      slug: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'The connection, if the integration has several. Default: the integration.'
      },
      mode: {
        type: 'string',
        enum: ['oauth', 'api_key'],
        description: 'How the user connects the account. Default: oauth.'
      }
    },
    required: ['integration'],
    additionalProperties: false
  },
  outputSchema: {
    type: 'object',
    properties: {
      connected: { type: 'boolean' },
      integration: { type: 'string', maxLength: 100 },
      slug: { type: 'string', maxLength: 100 },
      reason: { type: 'string', maxLength: 4000 }
    },
    required: ['connected', 'integration', 'slug'],
    additionalProperties: false
  },
  render: { kind: 'connect' }
}

/** The tool that requests an account. The browser executes it, not the server (002-7). */
export const requestConnection: OfferedEntry = {
  slug: '__ag__request_connection',
  uri: 'client:tool:request_connection:v0',
  kind: 'tool',
  name: 'Request a connection',
  description: 'Asks the user to connect an account, and waits.',
  version: 'v0',
  where: tool.where,
  approval: 'auto',
  toolName: tool.name,
  embeddable: true,
  data: { parameters: { tool } }
}
