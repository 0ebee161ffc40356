const MAX_CHARS = 200

/**
 * Returns the end of an error sentence that quotes the provider's message: `: “…”`, or a full stop if it is
 * empty. The quote is shortened to one line, and anything that looks like a credential is removed. It never
 * contains the response body, which the SDK does not put into messages.
 */
export function quoteProvider(message: string): string {
  const line = message
    .slice(0, 4 * MAX_CHARS)
    .replace(/\s+/g, ' ')
    .replace(/\bBearer [^\s"',]+/gi, 'Bearer …')
    .replace(/\b(sk|pk|rk|api|key|token)[-_][\w*.-]{6,}/gi, '…')
    .replace(/[\w-]{32,}/g, '…')
    .trim()
  if (!line) return '.'
  const short = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS).trimEnd()}…` : line
  return `: “${short.toWellFormed()}”`
}
