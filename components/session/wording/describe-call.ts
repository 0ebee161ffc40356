import type { Call } from '@waystation/protocol/call/call.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/** What a call would do, in a person's words: `title` "Fetch https://example.com", `short` "Fetch example.com",
 * `button` "Fetch page", `why` "The agent wants to read this page." */
export type CallDescription = { title: string; short: string; button: string; why: string }

const verbs = new Set(
  // prose-ignore: a list of verbs
  'add ask close create delete fetch find get list move open post publish read remove rename run search send set update write'.split(
    ' '
  )
)

const known: Record<string, (input: Record<string, unknown>) => CallDescription | undefined> = {
  commit_revision: ({ note }) => ({
    // It is asked: a sentence's own end would stand before the question mark.
    title: ['Change the agent', typeof note === 'string' ? note.trim().replace(/[.!?…]+$/, '') : '']
      .filter(Boolean)
      .join(': '),
    short: 'Change the agent',
    button: 'Publish revision',
    why: 'The agent proposes a change to its own configuration.'
  }),
  'zx-script': () => ({
    title: 'Run a script',
    short: 'Run a script',
    button: 'Run script',
    why: 'The agent wants to run this script in a sandbox without network access.'
  }),
  'web-fetch': ({ url }) => {
    if (typeof url !== 'string') return undefined
    return {
      title: `Fetch ${url}`,
      short: `Fetch ${hostOf(url)}`,
      button: 'Fetch page',
      why: 'The agent wants to read this page.'
    }
  }
}

/**
 * Names the act of a call. The tool's own words win (`render.title`, `render.act` for the button, `render.why`);
 * then what this file knows; then the tool's name, read as words when it begins with a verb.
 */
export function describeCall(
  call: Pick<Call, 'toolName' | 'input' | 'editedInput' | 'render' | 'title'>
): CallDescription {
  const input = asRecord(call.editedInput ?? call.input)
  const said = known[call.toolName]?.(input) ?? named(call.toolName, input)
  const title = word(call.render?.title) ?? said.title
  return {
    title,
    short: word(call.render?.title) ?? said.short,
    button: word(call.render?.act) ?? said.button,
    why: word(call.render?.why) ?? said.why
  }
}

/** The one argument that tells what a call is about: a URL, a path, a question, else the first short text. */
export function salientArgument(input: unknown): string {
  const record = asRecord(input)
  const names = [
    'url',
    'path',
    'question',
    'query',
    'title',
    'name',
    'subject',
    'to',
    'message',
    'text',
    'task',
    'integration'
  ]
  const name =
    names.find(name => typeof record[name] === 'string') ?? Object.keys(record).find(isShort(record))
  return name === undefined ? '' : String(record[name]).replace(/\s+/g, ' ').slice(0, 200)
}

/** Who must answer a call that waits for another system: its own name for itself, else its tool's. */
export const systemOf = (call: Pick<Call, 'render' | 'title' | 'toolName'>): string =>
  word(call.render?.name) ?? call.title ?? call.toolName

function named(toolName: string, input: Record<string, unknown>): CallDescription {
  const words = toolName.split(/[-_]/)
  const telling = salientArgument(input)
  const why = `The agent wants to run ${toolName}.`
  if (!verbs.has(words[0] ?? ''))
    return { title: `Run ${toolName}`, short: `Run ${toolName}`, button: `Run ${toolName}`, why }
  const phrase = words.join(' ')
  const act = phrase.charAt(0).toUpperCase() + phrase.slice(1)
  return { title: telling ? `${act}: ${telling}` : act, short: act, button: act, why }
}

const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const isShort = (record: Record<string, unknown>) => (name: string) =>
  ['string', 'number'].includes(typeof record[name])
const asRecord = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
