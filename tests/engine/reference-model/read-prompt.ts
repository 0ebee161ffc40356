import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'

type ToolCall = { id: string; function: { arguments: string } }
type Sent = { role: string; content: unknown; tool_calls?: ToolCall[]; tool_call_id?: string }

/** Everything that is said in a schedule has a name: the session's, and its own. */
const nameIn = (text: string): string => /s\d+-[a-z]\d+/.exec(text)?.[0] ?? `? ${text}`

/** The session that a prompt is of: the first name in it says so. */
export const sessionOf = ({ body }: ModelRequest): string =>
  body.messages
    .map(({ content }) => /\b(s\d+)-/.exec(textOf(content))?.[1])
    .find(found => found !== undefined) ?? ''

/** A prompt as `Reference` writes it, and which call has which ID. */
export function readPrompt({ body }: ModelRequest): { lines: string[]; ids: Map<string, string> } {
  const ids = new Map<string, string>()
  const lines = (body.messages as Sent[]).flatMap(({ role, content, tool_calls = [], tool_call_id = '' }) => {
    const text = textOf(content)
    switch (role) {
      case 'system':
        return []
      case 'assistant':
        for (const call of tool_calls) ids.set(call.id, nameIn(call.function.arguments))
        return [
          ...(text === '' ? [] : [`agent ${text}`]),
          ...tool_calls.map(call => `call ${nameIn(call.function.arguments)}`)
        ]
      case 'tool':
        return [`result ${ids.get(tool_call_id)}: ${meaning(text)}`]
      default: {
        const answered = /^<call_answer .*?id="(\w[^"]*)"/.exec(text)?.[1]
        if (answered !== undefined) return [`answer ${ids.get(answered)}: ${meaning(text)}`]
        if (text.startsWith('<note>')) return ['note']
        if (text.startsWith('<out_of_band ')) return [`oob ${nameIn(text)}`]
        return [`user ${text}`]
      }
    }
  })
  return { lines, ids }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map(part => (part as { text?: string }).text ?? '').join('')
}

/** What a call came to, in a word or two. */
export function meaning(text: string): string {
  for (const [words, what] of [
    [/Still waiting:/, 'waiting'],
    [/Superseded by critical/, 'superseded'],
    [/Not run: the turn was stopped/, 'not run'],
    [/No answer by/, 'expired'],
    [/Canceled by/, 'cancelled'],
    [/declined|denied/i, 'declined'],
    [/unavailable tool/, 'unknown'],
    [/the page of|acknowledged/, 'ran']
  ] as const)
    if (words.test(text)) return what
  return /s\d+-a\d+/.exec(text)?.[0] ?? text
}
