import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { type OpenAIServer, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { keyOf } from './keys.ts'
import type { Random } from './seeded.ts'

/** A fake model that follows the newest message and records its prompts. */
export type ScriptedModel = Pick<OpenAIServer, 'url' | typeof Symbol.asyncDispose> & {
  /** Returns the number of requests. */
  requestCount(): number
  /** Returns the keys of the user messages in the longest prompt of a session. */
  promptOf(session: string): string[]
  /** Returns the out-of-band messages in that prompt, in order. */
  outOfBandOf(session: string): InjectedMessage[]
  /**
   * Pairs of prompts of a session of which neither starts with the other, and prompts that abbreviate a new message.
   */
  torn: string[]
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map(part => String((part as { text?: unknown }).text ?? '')).join('\n')
      : ''

/** An out-of-band message in a prompt: its ID and the key in its content. */
export type InjectedMessage = { id: string; key: string }

/** Parses an element `<out_of_band>`. Returns undefined for any other text. */
function parseOob(text: string): InjectedMessage | undefined {
  const [, id, content] = /^<out_of_band [^>]*\bid="(\w+)"[^>]*>\n(.*)\n<\/out_of_band>$/s.exec(text) ?? []
  return id === undefined || content === undefined ? undefined : { id, key: keyOf(content) }
}

const abbreviated = String.raw` shown=\"beginning\"`
/** The prompt never abbreviates this many newest out-of-band messages (docs/out-of-band.md). */
const minUnabbreviated = 20

/** The texts of the model: before a page request, and otherwise. */
const [lookUp, talk] = ['let me look that up for you', 'a few words that take their time to be said']
export const sentences: readonly string[] = [lookUp, talk]

/** Removes the attributes that change when a message gets old. Its text is too short to be abbreviated. */
const withoutAge = (message: string) => message.replaceAll(/ (shown|action|related_to)=\\"[^"\\]*\\"/g, '')

/** Returns whether the prompt abbreviates one of the newest out-of-band messages. */
const abbreviatesNew = (prompt: string[]) =>
  prompt
    .filter(message => message.includes('<out_of_band '))
    .slice(-minUnabbreviated)
    .some(message => message.includes(abbreviated))

/**
 * Starts the model. `talk`: answers with text, with up to `pace` ms between words. `fetch`: requests a page of
 * `site`. `ask`, `leave`: asks a question, which no client answers for `leave`. `heed`: acknowledges the out-of-band
 * message.
 */
export async function startModel(site: string, random: Random, { pace = 20 } = {}): Promise<ScriptedModel> {
  const prompts = new Map<string, string[]>()
  const torn: string[] = []
  let requests = 0

  /**
   * Records a prompt. It must start with the previous prompt, except that a resumed worker can send an old one
   * again.
   */
  const record = (session: string, prompt: string[]) => {
    const before = prompts.get(session) ?? []
    const at = prompt.findIndex(
      (message, n) => n < before.length && withoutAge(message) !== withoutAge(before[n] ?? '')
    )
    if (at >= 0) torn.push(`${session}: message ${at} was ${before[at]}, and is ${prompt[at]}`)
    if (abbreviatesNew(prompt)) torn.push(`${session}: what is new collapsed in ${prompt.length} messages`)
    if (prompt.length >= before.length) prompts.set(session, prompt)
  }

  const respond = ({ body: { messages } }: ModelRequest): Reply => {
    requests += 1
    // The run sends many requests, so the server must not collect them.
    server.requests.length = 0
    // The first message of a user can be a note, if the first turn was stopped before its step.
    const fromUsers = messages.flatMap(({ role, content }) => (role === 'user' ? textOf(content) : []))
    const session = /\bin (\S+)/.exec(fromUsers.find(text => /\bin chat-/.test(text)) ?? '')?.[1]
    if (session !== undefined)
      record(
        session,
        messages.map(message => JSON.stringify(message))
      )
    const text = textOf(messages.at(-1)?.content)
    const [, verb, key] = /(talk|fetch|ask|leave|heed) (\S+) in/.exec(text) ?? []
    // The text in front of the call takes time, so a critical message can arrive before the call starts.
    if (verb === 'fetch')
      return {
        ...replyCalls({ name: 'web-fetch', input: { url: `${site}/${key}` } }),
        text: lookUp,
        pace: random.below(pace)
      } as Reply
    const oob = parseOob(text)
    if (verb === 'heed' && oob !== undefined)
      return replyCalls({ name: 'acknowledge_out_of_band', input: { id: oob.id, effect: oob.key } })
    if (verb === 'ask' || verb === 'leave')
      return replyCalls({ name: 'ask-question', input: { question: `${verb} ${key}` } })
    return replyText(talk, { pace: random.below(pace) })
  }
  const server = await startOpenAIServer({ script: respond })
  /** Returns the texts of the user messages in the prompt. */
  const userTexts = (session: string): string[] =>
    (prompts.get(session) ?? [])
      .map(message => JSON.parse(message) as { role: string; content: unknown })
      .filter(({ role }) => role === 'user')
      .map(({ content }) => textOf(content))
  return {
    url: server.url,
    requestCount: () => requests,
    torn,
    promptOf: session =>
      userTexts(session)
        .filter(text => parseOob(text) === undefined)
        .flatMap(text => text.split('\n').map(keyOf))
        .filter(key => key !== ''),
    outOfBandOf: session => userTexts(session).flatMap(text => parseOob(text) ?? []),
    [Symbol.asyncDispose]: () => server.close()
  }
}
