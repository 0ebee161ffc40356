import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { KnownError, ToolError } from '#lib/kernel/known-error.ts'
import { log } from '#lib/kernel/log.ts'
import { ConnectionNeeded, ConsentNeeded } from '#lib/kernel/ports/connection-needed.ts'
import type { McpResult } from '#lib/kernel/ports/mcp-talk.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'

/** The longest that an answer is for a model, and a refusal, in characters. */
const longest = 200_000
const longestFault = 2000

/** What a tool answered, as text for a model. Throws what it said when it failed (`isError`). */
export function textOf(result: McpResult): string {
  const text = result.content.map(wordsOf).join('\n')
  if (result.isError) throw new ToolError(text || 'The call failed without a reason.')
  const said = text === '' && result.structuredContent ? JSON.stringify(result.structuredContent) : text
  return cutToFit(said)
}

export const cutToFit = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest)}\n[truncated: ${text.length - longest} more characters]`

/** A part of what a server says, as text; of what is none, what it is. */
export function wordsOf(part: McpResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}, ${sizeOf(part.mimeType, part.data)}, not shown]`
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`
    case 'resource':
      return 'text' in part.resource
        ? part.resource.text
        : `[${part.resource.uri}, ${sizeOf(part.resource.mimeType, part.resource.blob)}, not shown]`
  }
}

/** Of what is in base64. */
export const sizeOf = (mimeType: string | undefined, base64: string): string =>
  `${mimeType ?? 'of an unknown type'}, ${Buffer.byteLength(base64, 'base64')} bytes`

/**
 * The error of a failed call, in a length for a model. A missing account or answer is passed on. An unexpected error is logged,
 * because it can be a bug of this server as well as of the other one.
 */
export function faultOf(service: string, error: unknown): Error {
  if ([ConnectionNeeded, ConsentNeeded, QuestionNeeded].some(needed => error instanceof needed))
    return error as Error
  if (!(error instanceof KnownError || error instanceof McpError))
    log('warn', 'A call to an MCP server failed unexpectedly.', { service, error })
  const words = error instanceof Error ? error.message : String(error)
  return new ToolError(`${service}: ${words.slice(0, longestFault)}`, { cause: error })
}
