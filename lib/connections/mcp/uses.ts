import type { McpTalk } from '#lib/kernel/mcp-talk.ts'
import type { McpTool, McpUse } from '#lib/protocol/mcp.ts'

/** The tools of ours by which an agent uses the resources and prompts of a server that has such (001-19). */
export const usesOf = ({ resources, prompts }: McpTalk['has']): McpTool[] => [
  ...(resources
    ? [
        use('list_resources', 'List its resources: documents that read_resource reads by their address.'),
        use(
          'read_resource',
          'Read one of its resources. Text is shown; of others what they are, and their size.',
          {
            properties: { uri: { type: 'string', description: 'Its address, as list_resources gives it' } },
            required: ['uri']
          }
        )
      ]
    : []),
  ...(prompts
    ? [
        use('list_prompts', 'List its prompts: texts that it has prepared, which get_prompt fills in.'),
        use('get_prompt', 'Get one of its prompts, filled in.', {
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
