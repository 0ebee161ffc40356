import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { parseJson } from '#components/browser/parse-json.ts'
import { wordsOf } from './attributes.ts'

/** A line of the chat with a plugin. */
export type ChatLine =
  | { kind: 'you'; text: string }
  | { kind: 'agent'; agent: string; text: string; open: boolean }
  | { kind: 'tool'; tool: string; args: string; result?: string; failed?: boolean }
  | { kind: 'note'; text: string; failed?: boolean }

/**
 * Adds a message of the plugin to the chat. It can be one of the six events of 003-17 as JSON. Anything else
 * is shown unchanged.
 */
export function withMessage(lines: readonly ChatLine[], message: string): ChatLine[] {
  const parsed = parseJson(message)
  const event = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
  const last = lines.at(-1)
  const closed = lines.map(line => (line.kind === 'agent' && line.open ? { ...line, open: false } : line))
  const add = (line: ChatLine) => [...closed, line]
  switch (event?.type) {
    case 'content': {
      const agent = wordsOf(event.agent)
      if (last?.kind === 'agent' && last.open && last.agent === agent)
        return [...lines.slice(0, -1), { ...last, text: last.text + wordsOf(event.content) }]
      return add({ kind: 'agent', agent, text: wordsOf(event.content), open: true })
    }
    case 'tool_call':
      return add({ kind: 'tool', tool: wordsOf(event.tool), args: wordsOf(event.args) })
    case 'tool_result': {
      const done = { result: wordsOf(event.result), failed: event.is_error === true }
      const at = lines.findLastIndex(
        line => line.kind === 'tool' && line.tool === event.tool && line.result === undefined
      )
      if (at < 0) return add({ kind: 'tool', tool: wordsOf(event.tool), args: '', ...done })
      return lines.map((line, n) => (n === at && line.kind === 'tool' ? { ...line, ...done } : line))
    }
    case 'handoff':
      return add({ kind: 'note', text: `${wordsOf(event.agent)} handed off to ${wordsOf(event.target)}.` })
    case 'finish':
      return closed
    case 'error': {
      const text = wordsOf(event.error_message ?? event.message) || 'The plugin reported an error.'
      return add({ kind: 'note', text, failed: true })
    }
    default:
      return add({ kind: 'agent', agent: '', text: message, open: false })
  }
}

/** Adds a note that the plugin failed, and the reason, if it was expected to answer. */
export function withFailure(lines: readonly ChatLine[], reason: string): ChatLine[] {
  const last = lines.at(-1)
  const expected =
    last?.kind === 'you' ||
    (last?.kind === 'agent' && last.open) ||
    (last?.kind === 'tool' && last.result === undefined)
  if (!expected) return [...lines]
  const message = `${reason || 'The plugin failed.'} Send your message again.`
  return withMessage(lines, JSON.stringify({ type: 'error', message }))
}
