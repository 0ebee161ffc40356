import type { Call } from '@waystation/client'
import { jsonLine, oneLine, printable } from './escape.ts'

/** Returns a text field of a value of unknown shape, or an empty text. */
function textIn(value: unknown, name: string): string {
  const field = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : ''
  return typeof field === 'string' ? field : ''
}

/** Returns the labels of the options of a question. */
export function optionsOf({ input }: Pick<Call, 'input'>): string[] {
  const options = typeof input === 'object' && input !== null && 'options' in input ? input.options : []
  return Array.isArray(options) ? options.map(option => textIn(option, 'label')) : []
}

/** True if an MCP server asks a question during the call. Its answer names the question. */
export const questionIn = ({ render }: Pick<Call, 'render'>): string | undefined =>
  render?.kind === 'elicit' ? textIn(render, 'question') : undefined

/** Returns what a call asks, in one printable line. */
export function requestOf(call: Pick<Call, 'kind' | 'toolName' | 'input' | 'render'>): string {
  const { kind, toolName, input, render } = call
  switch (kind) {
    case 'question':
      return oneLine(textIn(render, 'message') || textIn(input, 'question') || toolName, 500)
    case 'limit':
      return `Continue? ${oneLine(textIn(input, 'reason') || textIn(input, 'message'), 500)}`.trim()
    case 'connection':
      return `Connect ${oneLine(textIn(input, 'integration') || toolName)}`
    default:
      return oneLine(`${toolName} ${jsonLine(input ?? {})}`, 500)
  }
}

/** Returns the options of `waystation answer` that fit a call. */
export function answersTo(call: Pick<Call, 'kind' | 'render'>): string {
  if (questionIn(call) !== undefined) return "--json '{…}' or --decline"
  switch (call.kind) {
    case 'approval':
    case 'limit':
      return '--approve or --decline'
    case 'question':
      return '--text "…" or --decline'
    case 'connection':
      return '--decline, or connect the account in the playground'
    default:
      return "--json '{…}' or --decline"
  }
}

/** Returns a pending call in several printable lines: what it asks, its options, and how to answer it. */
export function pendingLines(call: Call, sessionId?: string): string {
  const { toolCallId, kind, deadline } = call
  const options = call.kind === 'question' ? optionsOf(call) : []
  return [
    `? ${requestOf(call)}`,
    ...options.map(option => `  - ${oneLine(option)}`),
    `  ${[kind, ...(sessionId === undefined ? [] : [`session ${printable(sessionId)}`]), `until ${deadline}`].join(' · ')}`,
    `  waystation answer ${printable(toolCallId)} ${answersTo(call)}`
  ].join('\n')
}
