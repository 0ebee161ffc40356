/** Returns the charset in a Content-Type header, if there is one. */
export const charsetOf = (contentType: string | null): string | undefined =>
  /charset\s*=\s*"?([^\s";,]+)/i.exec(contentType ?? '')?.[1]

/**
 * Decodes bytes by the Encoding standard: a byte order mark has priority, then `charset`, then UTF-8. An unknown
 * charset is read as UTF-8, and invalid bytes become U+FFFD. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  return decoderFor(markedCharset(bytes) ?? charset ?? 'utf-8').decode(bytes)
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
}

function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('utf-8')
    throw error
  }
}
