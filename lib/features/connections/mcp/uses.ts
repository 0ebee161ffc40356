import type { McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import type { McpTool, McpUse } from '#lib/protocol/connection/mcp.ts'

/** The tools of ours by which an agent uses the resources and prompts of a server that has such (001-19). */
export const usesOf = ({ resources, prompts }: McpTalk['has']): McpTool[] => [
  ...(resources
    ? [
        use('list_resources', 'List the resources of this server. Read one with read_resource.'),
        use(
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
        use('list_prompts', 'List the prompts of this server. Fill one in with get_prompt.'),
        use('get_prompt', 'Get a prompt of this server with your arguments filled in.', {
          properties: {
            name: { type: 'string' },
            arguments: { type: 'object', additionalProperties: { type: 'string' } }
          },
          required: ['name']
        })
      ]
    : [])
]

const use = (does: McpUse, description: string, schema: object = { properties: {} }): McpTool => ({
  name: does,
  description,
  inputSchema: { type: 'object', ...schema, additionalProperties: false },
  does
})
