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
  const event = eventOf(message)
  const last = lines.at(-1)
  const closed = lines.map(line => (line.kind === 'agent' && line.open ? { ...line, open: false } : line))
  switch (event?.type) {
    case 'content': {
      const agent = textOf(event.agent)
      if (last?.kind === 'agent' && last.open && last.agent === agent)
        return [...lines.slice(0, -1), { ...last, text: last.text + textOf(event.content) }]
      return [...closed, { kind: 'agent', agent, text: textOf(event.content), open: true }]
    }
    case 'tool_call':
      return [...closed, { kind: 'tool', tool: textOf(event.tool), args: textOf(event.args) }]
    case 'tool_result': {
      const done = { result: textOf(event.result), failed: event.is_error === true }
      const at = lines.findLastIndex(
        line => line.kind === 'tool' && line.tool === event.tool && line.result === undefined
      )
      if (at < 0) return [...closed, { kind: 'tool', tool: textOf(event.tool), args: '', ...done }]
      return lines.map((line, n) => (n === at && line.kind === 'tool' ? { ...line, ...done } : line))
    }
    case 'handoff':
      return [
        ...closed,
        { kind: 'note', text: `${textOf(event.agent)} handed off to ${textOf(event.target)}.` }
      ]
    case 'finish':
      return closed
    case 'error':
      return [
        ...closed,
        {
          kind: 'note',
          text: textOf(event.error_message ?? event.message) || 'The plugin reported an error.',
          failed: true
        }
      ]
    default:
      return [...closed, { kind: 'agent', agent: '', text: message, open: false }]
  }
}

function eventOf(message: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(message)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
