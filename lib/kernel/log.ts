type Level = 'debug' | 'info' | 'warn' | 'error'

/** One line of JSON on stderr. Never pass a secret, a prompt or a person's words. */
export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  const { error, ...rest } = fields
  const cause =
    error instanceof Error
      ? { error: error.message, stack: error.stack }
      : error === undefined
        ? {}
        : { error: String(error) }
  process.stderr.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, message, ...rest, ...cause })}\n`
  )
}
