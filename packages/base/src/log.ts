import { AsyncLocalStorage } from 'node:async_hooks'

const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

type Fields = Record<string, unknown>

/**
 * Shared by the whole process: the server and Next's bundle load separate copies of this file
 * (docs/concepts/engine.md#processes-and-versions).
 */
type State = { level: Level; fields: AsyncLocalStorage<Fields> }
const key = Symbol.for('waystation.log')
const globals = globalThis as { [key]?: State }
globals[key] ??= { level: 'info', fields: new AsyncLocalStorage() }
const state: State = globals[key]

/** Sets the lowest level that is logged. Default: `info`. */
export function logFrom(level: Level): void {
  state.level = level
}

/**
 * Adds fields to all lines that `work` and its async calls log, such as the request, session, turn, call, job or
 * delivery. Nested calls combine their fields.
 */
export const withFields = <T>(fields: Fields, work: () => T): T =>
  state.fields.run({ ...state.fields.getStore(), ...fields }, work)

/** Like `withFields`, but without the caller's fields. Use it for work that outlives its caller. */
export const withOwnFields = <T>(fields: Fields, work: () => T): T => state.fields.run({ ...fields }, work)

/** Adds fields to the innermost `withFields`. Outside of one it does nothing. */
export function addFields(fields: Fields): void {
  const store = state.fields.getStore()
  if (store !== undefined) Object.assign(store, fields)
}

/**
 * Writes one line of JSON to stderr. Never pass secrets, prompts or users' text. Text that looks like a credential is
 * removed anyway, because errors of other code are logged unchanged.
 */
export function log(level: Level, message: string, fields: Fields = {}): void {
  if (levels.indexOf(level) < levels.indexOf(state.level)) return
  const { error, ...rest } = fields
  const cause =
    error instanceof Error
      ? { error: withoutParameters(error.message), stack: withoutParameters(error.stack ?? '') }
      : error === undefined
        ? {}
        : { error: String(error) }
  const line = { at: new Date().toISOString(), level, message, ...state.fields.getStore(), ...rest, ...cause }
  process.stderr.write(`${withoutCredentials(JSON.stringify(line))}\n`)
}

/** Removes the parameters that Drizzle appends to a failed query. They contain text of users and agents. */
const withoutParameters = (text: string): string =>
  text.replace(/(Failed query: [\s\S]*?\nparams: )[\s\S]*?(?=\n {4}at |$)/, '$1…')

/** Our keys and tokens, signing secrets, `Bearer …`, passwords in URLs, and capabilities in our links. */
const credentials: [pattern: RegExp, replacement: string][] = [
  [/\b(way|wst|whsec)_[\w+/=-]{16,}/g, '$1_…'],
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, '$1…@'],
  [/(\/(?:external\/calls|answer|join|connect|local)\/)[^\s/?"\\{[]+/g, '$1…'],
  [/([?&](?:token|code|state|key|secret|signature|access_token)=)[^\s&"\\]+/gi, '$1…'],
  // Matches start only at the beginning of a word. Otherwise a long word is scanned again from each of its letters.
  [/(?<![\w-])[\w-]+~\d+~\d+~(?:[\w-]+~){0,3}[\w-]{43}/g, '…']
]

const withoutCredentials = (line: string): string =>
  credentials.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
