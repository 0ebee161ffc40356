/** An error that a test caused: what was written, and which stream or handler it came from. */
type Seen = { source: string; text: string }

type State = { seen: Seen[]; allowed: RegExp[] }

/** One state per process: files of one worker may load this module more than once. */
const place = globalThis as typeof globalThis & { [key]?: State }
const key = Symbol.for('waystation.tests.errors')
const state = (): State => (place[key] ??= { seen: [], allowed: [] })

/**
 * Allows errors that match one of the patterns until the current test ends. Any other `console.error`, log line of
 * level `error` or unhandled rejection fails the test (`tests/support/guard.ts`).
 */
export function allowErrors(...patterns: RegExp[]): void {
  state().allowed.push(...patterns)
}

/** A full machine can hold up a worker. The worker comes back, and its turns continue: this fails no test. */
const fullMachine = /The worker did not send its heartbeat in time/

/** Records an error. It fails the current test unless that test allows it. */
export function recordError(source: string, text: string): void {
  if (!fullMachine.test(text)) state().seen.push({ source, text })
}

/** Records each line of a server's standard error that is a log line of level `error`. */
export function recordErrorLines(source: string, text: string): void {
  for (const line of text.split('\n'))
    if (line.startsWith('{') && line.includes('"level":"error"')) recordError(source, line)
}

/** Returns the errors that no pattern allows, and starts over for the next test. */
export function takeErrors(): Seen[] {
  const { seen, allowed } = state()
  place[key] = { seen: [], allowed: [] }
  return seen.filter(({ text }) => !allowed.some(pattern => pattern.test(text)))
}
