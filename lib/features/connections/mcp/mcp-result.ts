import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { KnownError, ToolError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import type { McpResult } from '@waystation/mcp-client'
import { ConnectionNeeded, ConsentNeeded } from '#lib/kernel/ports/connection-needed.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'

/** The maximum length of a result and of an error for the model, in characters. */
const maxChars = 200_000
const maxErrorChars = 2000

/** Returns a tool's result as text for the model. Throws `ToolError` with the text if the tool failed (`isError`). */
export function textOf(result: McpResult): string {
  const text = result.content.map(wordsOf).join('\n')
  if (result.isError) throw new ToolError(text || 'The call failed without a reason.')
  const output = text === '' && result.structuredContent ? JSON.stringify(result.structuredContent) : text
  return truncate(output)
}

/** Truncates a text to the maximum length for the model and says how much is missing. */
export const truncate = (text: string): string =>
  text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars)}\n[truncated: ${text.length - maxChars} more characters]`

/** Returns a part of a result as text. For other content it returns a description. */
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

/** Returns the media type and the size of base64 data. */
export const sizeOf = (mimeType: string | undefined, base64: string): string =>
  `${mimeType ?? 'of an unknown type'}, ${Buffer.byteLength(base64, 'base64')} bytes`

/**
 * Converts the error of a failed call to a message of limited length for the model. A missing account or
 * answer is returned unchanged. Unexpected errors are logged, because they can be bugs of this server or of
 * the other one.
 */
export function mcpErrorOf(service: string, error: unknown): Error {
  if ([ConnectionNeeded, ConsentNeeded, QuestionNeeded].some(needed => error instanceof needed))
    return error as Error
  if (!(error instanceof KnownError || error instanceof McpError))
    log('warn', 'A call to an MCP server failed unexpectedly.', { service, error })
  const message = error instanceof Error ? error.message : String(error)
  return new ToolError(`${service}: ${message.slice(0, maxErrorChars)}`, { cause: error })
}
