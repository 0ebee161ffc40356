import type { McpConnection, McpPrompt, McpResource } from '@waystation/mcp-client'
import type { McpTool } from '@waystation/protocol/connection/mcp.ts'
import { z } from 'zod'
import { sizeOf, textOf, truncate, wordsOf } from './mcp-result.ts'

/** The maximum length of a description in a list, in characters. */
const maxDescriptionChars = 500

const shortText = z
  .string()
  .transform(text => text.slice(0, maxDescriptionChars))
  .optional()
  .catch(undefined)

const Listed = z.object({
  uri: z.string().optional().catch(undefined),
  uriTemplate: z.string().optional().catch(undefined),
  name: z.string(),
  title: shortText,
  description: shortText,
  mimeType: shortText,
  size: z.number().optional().catch(undefined),
  arguments: z
    .array(
      z.object({
        name: z.string(),
        description: shortText,
        required: z.boolean().optional().catch(undefined)
      })
    )
    .optional()
    .catch(undefined)
})

/**
 * Runs a tool of a server and returns text for the model. It calls a tool of the server, or uses its
 * resources or prompts (`does`).
 */
export async function runTool(
  talk: McpConnection,
  { does, name }: Pick<McpTool, 'does' | 'name'>,
  input: Record<string, unknown>
): Promise<string> {
  switch (does) {
    case undefined:
      return textOf(await talk.callTool(name, input))
    case 'list_resources': {
      const { resources, templates } = await talk.listResources()
      return truncate(linesOf(resources, templates))
    }
    case 'read_resource':
      return truncate(textOfResource(await talk.readResource(String(input.uri))))
    case 'list_prompts':
      return truncate(linesOf(await talk.listPrompts()))
    case 'get_prompt':
      return truncate(
        textOfPrompt(
          await talk.getPrompt(String(input.name), (input.arguments ?? {}) as Record<string, string>)
        )
      )
  }
}

/** Returns one JSON object per line. Items that do not match the specification are left out. */
const linesOf = (...lists: unknown[][]): string =>
  lists
    .flat()
    .flatMap(item => Listed.safeParse(item).data ?? [])
    .map(item => JSON.stringify(item))
    .join('\n') || 'There are none.'

const textOfResource = ({ contents }: McpResource): string =>
  contents
    .map(part =>
      'text' in part ? part.text : `[${part.uri}, ${sizeOf(part.mimeType, part.blob)}, not shown]`
    )
    .join('\n')

const textOfPrompt = ({ messages }: McpPrompt): string =>
  messages.map(({ role, content }) => `${role}: ${wordsOf(content)}`).join('\n')
