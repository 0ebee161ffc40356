import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { KnownError } from '@waystation/base/known-error.ts'

/** The most characters of a server's own text, and of its HTML, because the patterns take quadratic time. */
const maxDetails = 300
const maxMarkup = 4000

/** Returns the HTTP status of a response that is not MCP. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof StreamableHTTPError && error.code !== undefined && error.code >= 300
    ? error.code
    : undefined

/**
 * Describes in one sentence why a server did not list its tools. Further lines have the server's own text without its
 * HTML.
 */
export function listFailure(error: unknown): string {
  if (error instanceof KnownError) return error.message
  const details = (error instanceof Error ? error.message : '')
    .slice(0, maxMarkup)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxDetails)
  return details === '' ? sentenceOf(error) : `${sentenceOf(error)}\n${details}`
}

function sentenceOf(error: unknown): string {
  const status = statusOf(error)
  if (status === 401 || status === 403) return `The server denied access (${status}).`
  if (status === 404 || status === 405) return `No MCP server is at this address (${status}).`
  if (status === 429) return 'The server is busy (429). Try again later.'
  if (status !== undefined && status < 400)
    return `The server redirects to another address (${status}). Enter that address.`
  if (status !== undefined) return `The server responded with an error (${status}).`
  if (error instanceof McpError) return 'The server responded with an error.'
  return 'The response is not that of an MCP server.'
}
