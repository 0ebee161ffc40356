import { calls, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import {
  type ModelRequest,
  type OpenAIServer,
  startOpenAIServer
} from '#tests/support/fakes/openai-server.ts'
import { keyOf } from './keys.ts'
import type { Random } from './seeded.ts'

/** A model that does what the newest message says, and remembers what it was shown. */
export type ObedientModel = Pick<OpenAIServer, 'url' | typeof Symbol.asyncDispose> & {
  /** How often it was asked. */
  asked(): number
  /** The keys of the people's messages in the longest prompt of a session. */
  promptOf(session: string): string[]
  /** The out-of-band messages in it, in its order. */
  toldOf(session: string): Told[]
  /** Where two prompts of a session part, of which neither begins with the other; or something collapsed that is still new. */
  torn: string[]
}

const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map(part => String((part as { text?: unknown }).text ?? '')).join('\n')
      : ''

/** An out-of-band message as the prompt has it: its ID, and the key in its content. */
export type Told = { id: string; key: string }

/** What an element `<out_of_band>` says; undefined for whatever is none. */
function toldBy(words: string): Told | undefined {
  const [, id, content] = /^<out_of_band [^>]*\bid="(\w+)"[^>]*>\n(.*)\n<\/out_of_band>$/s.exec(words) ?? []
  return id === undefined || content === undefined ? undefined : { id, key: keyOf(content) }
}

const beginningOnly = String.raw` shown=\"beginning\"`
/** So many out-of-band messages stay whole, whatever collapses (docs/out-of-band.md). */
const staysWhole = 20

/** What the model says: before it looks something up, and else. */
const [lookUp, talk] = ['let me look that up for you', 'a few words that take their time to be said']
export const sentences: readonly string[] = [lookUp, talk]

/** What of a message stays when it grows old: these are so short that their beginning is all of their words. */
const whole = (message: string) => message.replaceAll(/ (shown|action|related_to)=\\"[^"\\]*\\"/g, '')

/** Whether one of the newest out-of-band messages is shown as an old one. */
const agedTooSoon = (prompt: string[]) =>
  prompt
    .filter(message => message.includes('<out_of_band '))
    .slice(-staysWhole)
    .some(message => message.includes(beginningOnly))

/**
 * `talk`: some words, with at most `pace` ms between two. `fetch`: a page of `site`. `ask` and `leave`: a question, which
 * nobody answers to `leave`. `heed`, out of band: acknowledges it.
 */
export async function startModel(site: string, random: Random, { pace = 20 } = {}): Promise<ObedientModel> {
  const prompts = new Map<string, string[]>()
  const torn: string[] = []
  let asked = 0

  /** A prompt as its messages; what came before must still be there. A worker that stood still may ask again. */
  const keep = (session: string, prompt: string[]) => {
    const before = prompts.get(session) ?? []
    const at = prompt.findIndex(
      (message, n) => n < before.length && whole(message) !== whole(before[n] ?? '')
    )
    if (at >= 0) torn.push(`${session}: message ${at} was ${before[at]}, and is ${prompt[at]}`)
    if (agedTooSoon(prompt)) torn.push(`${session}: what is new collapsed in ${prompt.length} messages`)
    if (prompt.length >= before.length) prompts.set(session, prompt)
  }

  const obey = ({ body: { messages } }: ModelRequest): Reply => {
    asked += 1
    // Of each only what is looked at: a long run has many.
    server.requests.length = 0
    const session = /\bin (\S+)/.exec(wordsOf(messages.find(({ role }) => role === 'user')?.content))?.[1]
    if (session !== undefined)
      keep(
        session,
        messages.map(message => JSON.stringify(message))
      )
    const words = wordsOf(messages.at(-1)?.content)
    const [, what, key] = /(talk|fetch|ask|leave|heed) (\S+) in/.exec(words) ?? []
    // With words before it, which take time: something critical may overtake the call.
    if (what === 'fetch')
      return {
        ...calls({ name: 'web-fetch', input: { url: `${site}/${key}` } }),
        text: lookUp,
        pace: random.below(pace)
      } as Reply
    const told = toldBy(words)
    if (what === 'heed' && told !== undefined)
      return calls({ name: 'acknowledge_out_of_band', input: { id: told.id, effect: told.key } })
    if (what === 'ask' || what === 'leave')
      return calls({ name: 'ask-question', input: { question: `${what} ${key}` } })
    return says(talk, { pace: random.below(pace) })
  }
  const server = await startOpenAIServer({ script: obey })
  /** What the people's side of the prompt says, message by message. */
  const saidIn = (session: string): string[] =>
    (prompts.get(session) ?? [])
      .map(message => JSON.parse(message) as { role: string; content: unknown })
      .filter(({ role }) => role === 'user')
      .map(({ content }) => wordsOf(content))
  return {
    url: server.url,
    asked: () => asked,
    torn,
    promptOf: session =>
      saidIn(session)
        .filter(words => toldBy(words) === undefined)
        .flatMap(words => words.split('\n').map(keyOf))
        .filter(key => key !== ''),
    toldOf: session => saidIn(session).flatMap(words => toldBy(words) ?? []),
    [Symbol.asyncDispose]: () => server.close()
  }
}
