import type { Call } from '@waystation/protocol/call/call.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/**
 * The effect of a call as text: `title` "Fetch https://example.com", `short` "Fetch example.com", `button`
 * "Fetch page". `why` adds a fact to the title, or is empty. `says` lists the arguments that the title contains in
 * full, so that a card does not repeat them.
 */
export type CallDescription = { title: string; short: string; button: string; why: string; says: string[] }

const verbs = new Set(
  // prose-ignore: a list of verbs
  'add book cancel change close create delete deploy fetch find get move open pay place post publish read refund remove rename restart run search send set start stop submit update write'.split(
    ' '
  )
)

/** A description whose `short` is its title, unless it says otherwise. */
type Draft = Pick<CallDescription, 'title' | 'button'> & Partial<CallDescription>

type Described = Pick<Call, 'toolName' | 'input' | 'editedInput' | 'render' | 'title'>

const known: Record<string, (input: Record<string, unknown>) => Draft | undefined> = {
  commit_revision: ({ note }) => ({
    // The card adds a question mark, so the note's own punctuation mark is removed.
    title: ['Change the agent', typeof note === 'string' ? note.trim().replace(/[.!?…]+$/, '') : '']
      .filter(Boolean)
      .join(': '),
    short: 'Change the agent',
    button: 'Publish version'
  }),
  'zx-script': () => ({
    title: 'Run a script',
    button: 'Run script',
    why: 'It runs in a sandbox without network access.'
  }),
  'web-fetch': ({ url }) => {
    if (typeof url !== 'string') return undefined
    return { ...ofUrl('Fetch', url, ['url']), button: 'Fetch page' }
  },
  [httpRequestTool]: ({ url, method = 'GET' }) => {
    if (typeof url !== 'string') return undefined
    const why = 'It uses a connected account.'
    return { ...ofUrl(String(method), url, ['method', 'url']), button: 'Send request', why }
  }
}

/** The longest URL that a title contains in full. Longer ones are among the arguments. */
const longestUrl = 160

const ofUrl = (verb: string, url: string, says: string[]) => {
  const isLong = url.length > longestUrl
  const short = `${verb} ${shortUrl(url)}`
  return { title: isLong ? short : `${verb} ${url}`, short, says: isLong ? [] : says }
}

/** Returns a URL in at most 64 characters: its host, and the start and end of the rest, by which URLs differ. */
export function shortUrl(url: string): string {
  const text = url.replace(/^https?:\/\//, '').replace(/\/$/, '')
  return text.length <= 64 ? text : `${text.slice(0, 38)}…${text.slice(-25)}`
}

/**
 * Describes the effect of a call. The tool's own texts come first (`render.title`, `render.act` for the
 * button, `render.why`), then the texts in this file, then the tool's title or name with the main argument.
 */
export function describeCall(call: Described): CallDescription {
  const input = asRecord(call.editedInput ?? call.input)
  const said = known[call.toolName]?.(input) ?? wikiChange(call) ?? named(call, input)
  const title = word(call.render?.title)
  return {
    title: title ?? said.title,
    short: title ?? said.short ?? said.title,
    button: word(call.render?.act) ?? said.button,
    why: word(call.render?.why) ?? said.why ?? '',
    says: (title === undefined && said.says) || []
  }
}

/**
 * Returns the argument that best describes a call: a URL, a path, a question or similar, else the first text
 * or number. Limits of results are left out. Returns at most 200 characters, and an empty string if there is none.
 */
export function salientArgument(input: unknown): string {
  const name = salientName(input)
  return name === undefined ? '' : String(asRecord(input)[name]).replace(/\s+/g, ' ').slice(0, 200)
}

function salientName(input: unknown): string | undefined {
  const record = asRecord(input)
  const names = 'url path question query title name subject to message text task'.split(' ')
  return (
    names.find(name => typeof record[name] === 'string') ??
    Object.keys(record).find(name => /string|number/.test(typeof record[name]) && !isResultLimit.test(name))
  )
}

/**
 * Returns the name of the external service that must answer a call: its own name, else the tool's title or
 * name.
 */
export const systemOf = (call: Pick<Call, 'render' | 'title' | 'toolName'>): string =>
  word(call.render?.name) ?? call.title ?? call.toolName

/**
 * Tells whether a call is an approval whose arguments tell all about it. Changes of an agent, a wiki or the definition of
 * a tool are reviewed one by one.
 */
export const isPlainApproval = ({ kind, render }: Pick<Call, 'kind' | 'render'>): boolean =>
  kind === 'approval' && !('changes' in (render ?? {}))

/** Describes a change of a wiki with the title of the call, which names the tiddler and the wiki. */
function wikiChange({ toolName, title }: Described): Draft | undefined {
  const [, verb] = /^wiki-(write|rename|delete)$/.exec(toolName) ?? []
  if (!verb || !title) return undefined
  return { title, button: `${capitalized(verb)} tiddler` }
}

/** Returns a text that starts with a capital letter. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Describes a call with the title of its tool if that starts with a verb, else with the tool's name, as words. */
function named({ toolName, title }: Described, input: Record<string, unknown>): Draft {
  const words = capitalized(toolName.split(/[-_]+/).join(' '))
  const act = title !== undefined && isAct(title) ? title : words
  const button = [act, words].find(text => text.length <= 32 && isAct(text)) ?? 'Approve'
  const name = salientName(input)
  const telling = salientArgument(input)
  if (telling === '' || act.includes(telling)) return { title: act, button }
  const says = name !== undefined && telling === String(input[name]) ? [name] : []
  return { title: `${act}: ${telling}`, short: `${act}: ${telling.slice(0, 80)}`, button, says }
}

/** True for "Place order", and for "Shop: Place order", the title of a tool of an MCP server. */
const isAct = (text: string) =>
  text
    .toLowerCase()
    .split(': ')
    .some(part => verbs.has(part.split(' ')[0]!))

/** Arguments that say how much a tool returns. Models often leave them out, and the defaults tell a reader little. */
const isResultLimit = /^(limit|offset|depth)$/

const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const asRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})
