import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

/** An example phrase for each tool that has plain phrases. */
const PHRASES: Readonly<Record<string, string>> = {
  'ask-question': 'ask me to choose between tea, coffee and water',
  'web-fetch': 'fetch https://example.com',
  request_connection: 'connect github',
  'alarm-clock': 'remind me in 10 seconds to stretch',
  'client-info': 'what time is it for me',
  'spawn-agent': 'delegate count to 3 to a helper',
  list_sessions: 'list sessions',
  get_session_state: 'show session welcome',
  send_out_of_band: 'tell session welcome that the build is red'
}

const MAX_NAMES = 12

/** Returns a text that introduces the demo model and its tools, with up to five examples to try. */
export function introduce(tools: readonly LanguageModelV4FunctionTool[]): string {
  const phrases = tools.flatMap(tool => (Object.hasOwn(PHRASES, tool.name) ? [PHRASES[tool.name]!] : []))
  const uses = tools.filter(tool => !Object.hasOwn(PHRASES, tool.name)).map(exampleUse)
  const examples = [...phrases, ...uses].slice(0, 3)
  return [
    'I am the demo model. I follow fixed rules and am not a language model, so I understand only certain phrases.',
    `${describeTools(tools)} Try:`,
    '',
    ...[...examples, 'say hello', 'count to 10'].map(example => `- \`${example}\``)
  ].join('\n')
}

/** Lists the tools in one sentence, at most 12 by name. */
export function describeTools(tools: readonly { name: string }[]): string {
  if (tools.length === 0) return 'This agent has no tools.'
  const names = tools.slice(0, MAX_NAMES).map(tool => `\`${tool.name}\``)
  const more = tools.length > MAX_NAMES ? ` and ${tools.length - MAX_NAMES} more` : ''
  return `This agent has these tools: ${names.join(', ')}${more}.`
}

/** Returns a `use` line for the tool. Each required field gets its default, its first enum value or a sample value. */
function exampleUse({ name, inputSchema }: LanguageModelV4FunctionTool): string {
  const { properties = {}, required = [] } = inputSchema
  const input = Object.fromEntries(required.map((field: string) => [field, exampleOf(properties[field])]))
  return `use ${name} ${JSON.stringify(input)}`
}

function exampleOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return 'text'
  const {
    type,
    enum: values,
    default: preset
  } = schema as { type?: unknown; enum?: unknown[]; default?: unknown }
  if (preset !== undefined) return preset
  if (values?.length) return values[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    case 'null':
      return null
    default:
      return 'text'
  }
}
