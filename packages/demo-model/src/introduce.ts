import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

/** An example phrase for each tool that has plain phrases. */
const PHRASES: Readonly<Record<string, string>> = {
  'ask-question': 'ask me to choose between tea, coffee and water',
  'web-fetch': 'fetch example.com',
  request_connection: 'connect github',
  'alarm-clock': 'remind me in 10 seconds to stretch',
  'client-info': 'what time is it for me',
  'spawn-agent': 'delegate count to 3 to a helper',
  list_sessions: 'list sessions',
  get_session_state: 'show session welcome',
  dispatch: 'dispatch two crates of lamp oil',
  'acme-list-orders': 'show my orders',
  'acme-create-order': 'order 2 lamps',
  send_out_of_band: 'tell session welcome that the build is red'
}

const MAX_NAMES = 12

/** Returns a sentence that introduces the demo model, and up to five examples that call its tools. */
export function introduce(tools: readonly LanguageModelV4FunctionTool[]): string {
  const phrases = tools.flatMap(tool => (Object.hasOwn(PHRASES, tool.name) ? [PHRASES[tool.name]!] : []))
  const uses = tools.flatMap(({ name }) => (Object.hasOwn(PHRASES, name) ? [] : [`use ${name}`]))
  return [
    'I am the demo model and follow fixed rules, so I understand only messages such as these:',
    '',
    ...[...[...phrases, ...uses].slice(0, 3), 'say hello', 'count to 10'].map(example => `- ${example}`)
  ].join('\n')
}

/** Lists the tools in one sentence, at most 12 by name. */
export function describeTools(tools: readonly { name: string }[]): string {
  if (tools.length === 0) return 'This agent has no tools.'
  const names = tools.slice(0, MAX_NAMES).map(tool => `\`${tool.name}\``)
  const more = tools.length > MAX_NAMES ? ` and ${tools.length - MAX_NAMES} more` : ''
  return `This agent has these tools: ${names.join(', ')}${more}.`
}
