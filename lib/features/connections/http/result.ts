import type { OutboundResponse } from '@waystation/egress'
import { z } from 'zod'
import { isTextType, mediaTypeOf } from '#lib/tools/media-type.ts'

/** The maximum length of a content for the model, in characters. */
const maxChars = 100_000

/**
 * The response for the model: `json` or `text`. A `note` says why the content is missing, or that it was
 * truncated.
 */
export const HttpResult = z.object({
  status: z.int(),
  url: z.string().describe('The URL after redirects.'),
  headers: z.record(z.string(), z.string()),
  json: z.unknown().optional(),
  text: z.string().optional(),
  note: z.string().optional()
})
export type HttpResult = z.infer<typeof HttpResult>

/** Response headers that help a model to continue: content, pages, versions and limits. */
const shownHeader =
  /^(content-type|content-range|etag|last-modified|link|location|retry-after|x-total-count|(x-)?ratelimit-.+)$/

/** Converts a response. `unfollowed` is the target of a redirect that was not followed. */
export function resultOf(response: OutboundResponse, unfollowed: URL | null): HttpResult {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => shownHeader.test(name)))
  const start = { status: response.status, url: response.url, headers }
  if (unfollowed !== null) return { ...start, note: `The redirect to ${unfollowed.origin} was not followed.` }
  return { ...start, ...contentOf(response) }
}

function contentOf(response: OutboundResponse): Pick<HttpResult, 'json' | 'text' | 'note'> {
  if (response.body.length === 0) return {}
  const mediaType = mediaTypeOf(response)
  const text = isTextType(mediaType) ? response.text() : '\0'
  if (text.includes('\0'))
    return {
      note: `The response is binary (${mediaType}, ${response.body.length} bytes) and cannot be read. Ask the service for text or JSON.`
    }
  if (text.length > maxChars)
    return {
      text: text.slice(0, maxChars).toWellFormed(),
      note: `Truncated: these are the first ${maxChars} of ${text.length} characters. Ask the service for less.`
    }
  const json = /[/+]json$/.test(mediaType) ? jsonIn(text) : undefined
  return json === undefined ? { text: text.toWellFormed() } : { json }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some services send an error page with the type of JSON. The model reads it as text.
    return undefined
  }
}
