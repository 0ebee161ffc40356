import { ApiError } from '@waystation/base/api-error.ts'

/**
 * Refuses a compressed body (RFC 9110, 8.4) with `UNSUPPORTED_TYPE`. Bodies are not decompressed, so the compressed
 * bytes would be read as the text.
 */
export function checkEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding') ?? ''
  if (/^(identity)?$/i.test(encoding.trim())) return
  throw new ApiError(
    'UNSUPPORTED_TYPE',
    'Compressed request bodies are not supported. Send the body without Content-Encoding.'
  )
}
