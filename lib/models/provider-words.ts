const LONGEST = 200

/**
 * The provider's own sentence, to end ours with: `: "…"`, or a full stop when it has none. Shortened, on one line,
 * with everything that looks like a credential taken out; never a body, which the SDK does not put into messages.
 */
export function providerWords(message: string): string {
  const line = message
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .replace(/\bBearer [^\s"',]+/gi, 'Bearer …')
    .replace(/\b(sk|pk|rk|api|key|token)[-_][\w*.-]{6,}/gi, '…')
    .replace(/[\w-]{32,}/g, '…')
    .trim()
  if (!line) return '.'
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line
  return `: “${short.toWellFormed()}”`
}
