/** An error that a test caused: its text, and the stream or handler that reported it. */
type RecordedError = { source: string; text: string }

type State = { seen: RecordedError[]; allowed: RegExp[] }

/** One state per process, because the test files of a worker can load this module several times. */
const globals = globalThis as typeof globalThis & { [key]?: State }
const key = Symbol.for('waystation.tests.errors')
const state = (): State => (globals[key] ??= { seen: [], allowed: [] })

/**
 * Allows errors that match one of the patterns until the current test ends. Any other `console.error`, log line of
 * level `error` or unhandled rejection fails the test (`tests/support/guard.ts`).
 */
export function allowErrors(...patterns: RegExp[]): void {
  state().allowed.push(...patterns)
}

/** On an overloaded machine a worker can pause. It resumes and its turns continue, so this error fails no test. */
const overloadError = /The worker did not send its heartbeat in time/

/** Records an error. It fails the current test unless that test allows it. */
export function recordError(source: string, text: string): void {
  if (!overloadError.test(text)) state().seen.push({ source, text })
}

/** Records each line of a server's standard error that is a log line of level `error`. */
export function recordErrorLines(source: string, text: string): void {
  for (const line of text.split('\n'))
    if (line.startsWith('{') && line.includes('"level":"error"')) recordError(source, line)
}

/** Returns the errors that no pattern allows, and starts over for the next test. */
export function takeErrors(): RecordedError[] {
  const { seen, allowed } = state()
  globals[key] = { seen: [], allowed: [] }
  return seen.filter(({ text }) => !allowed.some(pattern => pattern.test(text)))
}
