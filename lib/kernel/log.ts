import { AsyncLocalStorage } from 'node:async_hooks'

const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

type Fields = Record<string, unknown>

/** One per process: the server and Next's bundle load separate copies of this file (docs/concepts/engine.md#processes). */
type Place = { level: Level; fields: AsyncLocalStorage<Fields> }
const key = Symbol.for('waystation.log')
const here = globalThis as { [key]?: Place }
here[key] ??= { level: 'info', fields: new AsyncLocalStorage() }
const place: Place = here[key]

/** Says from which level on lines are written; `info` until somebody says. */
export function logFrom(level: Level): void {
  place.level = level
}

/**
 * Every line that `work` writes, and what it awaits, carries these fields: which request, session, turn, call, job or
 * delivery it is about. Inside of another one's, both apply.
 */
export const withFields = <T>(fields: Fields, work: () => T): T =>
  place.fields.run({ ...place.fields.getStore(), ...fields }, work)

/** The same for work that lives longer than what began it, and has nothing of its fields. */
export const withOwnFields = <T>(fields: Fields, work: () => T): T => place.fields.run({ ...fields }, work)

/** Adds to the fields of the work at hand what was only learned on the way; outside of any, nobody hears it. */
export function addFields(fields: Fields): void {
  const store = place.fields.getStore()
  if (store !== undefined) Object.assign(store, fields)
}

/**
 * One line of JSON on stderr. Never pass a secret, a prompt or a person's words: what looks like a credential is cut
 * out all the same, since errors of others are passed on with whatever they hold.
 */
export function log(level: Level, message: string, fields: Fields = {}): void {
  if (levels.indexOf(level) < levels.indexOf(place.level)) return
  const { error, ...rest } = fields
  const cause =
    error instanceof Error
      ? { error: withoutParameters(error.message), stack: withoutParameters(error.stack ?? '') }
      : error === undefined
        ? {}
        : { error: String(error) }
  const line = { at: new Date().toISOString(), level, message, ...place.fields.getStore(), ...rest, ...cause }
  process.stderr.write(`${withoutCredentials(JSON.stringify(line))}\n`)
}

/** A statement that failed without its values, which Drizzle writes behind it: they are what people and agents wrote. */
const withoutParameters = (text: string): string =>
  text.replace(/(Failed query: [\s\S]*?\nparams: )[\s\S]*?(?=\n {4}at |$)/, '$1…')

/** Our keys and tokens, signing secrets, `Bearer …`, passwords in addresses, and capabilities in links of ours. */
const credentials: [pattern: RegExp, kept: string][] = [
  [/\b(way|wst|whsec)_[\w+/=-]{16,}/g, '$1_…'],
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, '$1 …'],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, '$1…@'],
  [/(\/(?:external\/calls|answer|join|connect|local)\/)[^\s/?"\\{[]+/g, '$1…'],
  [/([?&](?:token|code|state|key|secret|signature|access_token)=)[^\s&"\\]+/gi, '$1…'],
  // Begun at the beginning of a word only: a long one would else be read again from each of its letters.
  [/(?<![\w-])[\w-]+~\d+~\d+~(?:[\w-]+~){0,3}[\w-]{43}/g, '…']
]

const withoutCredentials = (line: string): string =>
  credentials.reduce((text, [pattern, kept]) => text.replace(pattern, kept), line)
