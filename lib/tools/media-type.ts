import { decodeText, type OutboundResponse } from '@waystation/egress'

/** Returns the media type without parameters. If the server sends none, it is guessed from the content. */
export function mediaTypeOf({ headers, body }: OutboundResponse): string {
  const named = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (named) return named
  const start = decodeText(body.subarray(0, 512)).trimStart().toLowerCase()
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'text/html'
  return start.includes('\0') ? 'application/octet-stream' : 'text/plain'
}

/** Tells whether a model can read content of this media type as text. */
export const isTextType = (mediaType: string): boolean =>
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|toml)|application\/(x-ndjson|javascript|x-yaml|graphql))$/.test(
    mediaType
  )
