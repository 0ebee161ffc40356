import type { McpConnection } from '@waystation/mcp-client'
import type { McpTool, McpUse } from '@waystation/protocol/connection/mcp.ts'

/** Returns the built-in tools for a server's resources and prompts, if it has any (001-19). */
export const resourceTools = ({ resources, prompts }: McpConnection['has']): McpTool[] => [
  ...(resources
    ? [
        toolFor('list_resources', 'List the resources of this server. Read one with read_resource.'),
        toolFor(
          'read_resource',
          'Read a resource of this server. Text is returned in full. For other content you get its type and size.',
          {
            properties: { uri: { type: 'string', description: 'The URI that list_resources returned.' } },
            required: ['uri']
          }
        )
      ]
    : []),
  ...(prompts
    ? [
        toolFor('list_prompts', 'List the prompts of this server. Fill one in with get_prompt.'),
        toolFor('get_prompt', 'Get a prompt of this server with your arguments filled in.', {
          properties: {
            name: { type: 'string' },
            arguments: { type: 'object', additionalProperties: { type: 'string' } }
          },
          required: ['name']
        })
      ]
    : [])
]

const toolFor = (does: McpUse, description: string, schema: object = { properties: {} }): McpTool => ({
  name: does,
  description,
  inputSchema: { type: 'object', ...schema, additionalProperties: false },
  does
})
