import type { ReferenceTool } from '#lib/protocol/agent.ts'
import type { CatalogueEntry } from '#lib/protocol/catalogue.ts'

const integration = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'The service that the account is with, as discover_connections names it: "github".'
}

const tool: ReferenceTool = {
  name: 'request_connection',
  where: 'browser',
  title: 'Ask for a connection',
  description:
    'Ask the person to connect an account of theirs, and wait until they did or said no. Use it when something that you were asked to do needs an account that is not connected yet. You never see the secret: you are told whether it is connected now. When it is not, ask again only if the person wants to; otherwise go on without it.',
  inputSchema: {
    type: 'object',
    properties: {
      integration,
      slug: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'Which connection of it, when there are several; the integration when left out.'
      },
      mode: {
        type: 'string',
        enum: ['oauth', 'api_key'],
        description: 'How the person connects; oauth when left out.'
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

/** Asks for an account: nothing runs here, the browser does it (002-7). */
export const requestConnection: CatalogueEntry = {
  slug: '__ag__request_connection',
  uri: 'client:tool:request_connection:v0',
  kind: 'tool',
  name: 'Request a connection',
  description: 'Asks the person to connect an account, and waits.',
  version: 'v0',
  where: tool.where,
  approval: 'auto',
  embeddable: true,
  data: { parameters: { tool } }
}
