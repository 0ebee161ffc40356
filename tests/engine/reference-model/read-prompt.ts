import type { ModelRequest } from '#tests/support/fakes/model-request.ts'

type ToolCall = { id: string; function: { arguments: string } }
type WireMessage = { role: string; content: unknown; tool_calls?: ToolCall[]; tool_call_id?: string }

/** Returns the unique name in a text, which consists of the session’s name and its own. */
const nameIn = (text: string): string => /s\d+-[a-z]\d+/.exec(text)?.[0] ?? `? ${text}`

/** Returns the session of a prompt, taken from the first name in it. */
export const sessionOf = ({ body }: ModelRequest): string =>
  body.messages
    .map(({ content }) => /\b(s\d+)-/.exec(textOf(content))?.[1])
    .find(name => name !== undefined) ?? ''

/** Returns the prompt in the line format of `Reference`, and the names of calls by their IDs. */
export function readPrompt({ body }: ModelRequest): { lines: string[]; ids: Map<string, string> } {
  const ids = new Map<string, string>()
  const lines = (body.messages as WireMessage[]).flatMap(
    ({ role, content, tool_calls = [], tool_call_id = '' }) => {
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
          const callId = /^<call_answer .*?id="(\w[^"]*)"/.exec(text)?.[1]
          if (callId !== undefined) return [`answer ${ids.get(callId)}: ${meaning(text)}`]
          if (text.startsWith('<note>')) return ['note']
          if (text.startsWith('<out_of_band ')) return [`oob ${nameIn(text)}`]
          return [`user ${text}`]
        }
      }
    }
  )
  return { lines, ids }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map(part => (part as { text?: string }).text ?? '').join('')
}

/** Classifies a call’s result in one or two words. */
export function meaning(text: string): string {
  for (const [pattern, outcome] of [
    [/Still waiting:/, 'waiting'],
    [/Superseded by critical/, 'superseded'],
    [/Not run: the turn was stopped/, 'not run'],
    [/No answer by/, 'expired'],
    [/Canceled by/, 'cancelled'],
    [/declined|denied/i, 'declined'],
    [/unavailable tool/, 'unknown'],
    [/the page of|acknowledged/, 'ran']
  ] as const)
    if (pattern.test(text)) return outcome
  return /s\d+-a\d+/.exec(text)?.[0] ?? text
}
