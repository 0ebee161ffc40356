/** A plain phrase that asks for a tool. `wants` completes the sentence "To …, I need the tool". */
export type Phrase = { do: 'ask'; tool: string; input: object; wants: string }

type Reader = (match: RegExpExecArray, now: number) => Omit<Phrase, 'do'> | undefined

const MAX_PHRASE_CHARS = 4000

const SECONDS_PER: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

const PHRASES: readonly [RegExp, Reader][] = [
  [
    /^ask me whether (?:to )?(.+)$/i,
    ([, what]) =>
      question(`${upperFirst(what!)}?`, { inputType: 'single-select', options: labels(['Yes', 'No']) })
  ],
  [
    /^ask me to choose (?:between|among|from) (.+)$/i,
    ([, list]) => {
      const choices = choicesOf(list!)
      return question('Which one do you choose?', { inputType: 'single-select', options: labels(choices) })
    }
  ],
  [/^ask me (.+)$/i, ([, what]) => question(questionOf(toUser(what!)), { inputType: 'text' })],
  [
    /^fetch (\S+)$/i,
    ([, url]) => {
      const scheme = /^https?:\/\//i.test(url!) ? '' : /^localhost\b/i.test(url!) ? 'http://' : 'https://'
      const full = `${scheme}${url}`
      return URL.canParse(full)
        ? { tool: 'web-fetch', input: { url: full }, wants: 'fetch a page' }
        : undefined
    }
  ],
  [
    /^dispatch (.+)$/i,
    ([, order]) => ({ tool: 'dispatch', input: { order }, wants: 'message the dispatcher' })
  ],
  [/^show my orders$/i, () => ({ tool: 'acme-list-orders', input: {}, wants: 'list your orders' })],
  [
    /^order (\d{1,4}) (.+)$/i,
    ([, quantity, item]) => ({
      tool: 'acme-create-order',
      input: { item, quantity: Number(quantity) },
      wants: 'place an order'
    })
  ],
  [
    /^request (https?:\/\/\S+)$/i,
    ([, url]) => ({ tool: 'http-request', input: { url }, wants: 'send a request' })
  ],
  [
    /^connect (?:me to |to |my )?([\w-]+)(?: account)?$/i,
    ([, name]) => ({
      tool: 'request_connection',
      input: { integration: name!.toLowerCase() },
      wants: 'connect an account'
    })
  ],
  [
    /^remind me in (\d{1,6}) (second|minute|hour|day)s? (?:to |that |about )?(.+)$/i,
    ([, n, unit, what], now) => alarm(n!, unit!, what!, now)
  ],
  [
    /^remind me (?:to |that |about )?(.+) in (\d{1,6}) (second|minute|hour|day)s?$/i,
    ([, what, n, unit], now) => alarm(n!, unit!, what!, now)
  ],
  [
    /^what time is it(?: for me)?$/i,
    () => ({ tool: 'client-info', input: {}, wants: 'know your time zone' })
  ],
  [
    /^(?:list|show) (?:me )?(?:the |all |other |the other )?sessions(?: (?:about|with|for) (.+))?$/i,
    ([, query]) => ({ tool: 'list_sessions', input: query ? { query } : {}, wants: 'find sessions' })
  ],
  [
    /^(?:show|check)(?: me)?(?: the)?(?: state of)?(?: the)? session (\S+)$/i,
    ([, sessionId]) => ({
      tool: 'get_session_state',
      input: { sessionId },
      wants: 'read the state of a session'
    })
  ],
  [
    /^(urgently )?tell (?:the )?session ([^\s:]+)(?: that|:)? (.+)$/i,
    ([, urgently, sessionId, what]) => ({
      tool: 'send_out_of_band',
      input: { sessionId, content: upperFirst(what!), ...(urgently ? { priority: 'critical' } : {}) },
      wants: 'message another agent'
    })
  ],
  [
    /^delegate (.+)$/i,
    ([, what]) => {
      const asked = what!.replace(/^(ask|count|fetch|say)ing\b/i, '$1')
      const cut = asked.toLowerCase().lastIndexOf(' to ')
      const task = isCount(asked) || cut < 0 ? asked : asked.slice(0, cut)
      return { tool: 'spawn-agent', input: { task }, wants: 'delegate a task' }
    }
  ]
]

/**
 * Returns the tool call for a plain phrase, or undefined for other lines. Does not check if the agent has the tool.
 *
 * @param now milliseconds since 1970, for "in 10 minutes"
 */
export function readPhrase(line: string, now: number): Phrase | undefined {
  // The patterns backtrack. A long pasted text is not a phrase and must not keep the worker busy.
  if (line.length > MAX_PHRASE_CHARS) return undefined
  const plain = line.replace(/^please\s+/i, '').replace(/[.?!\s]+$/, '')
  for (const [pattern, read] of PHRASES) {
    const match = pattern.exec(plain)
    const phrase = match && read(match, now)
    if (phrase) return { do: 'ask', ...phrase }
  }
  return undefined
}

const question = (text: string, rest: object): Omit<Phrase, 'do'> => ({
  tool: 'ask-question',
  input: { question: text, ...rest },
  wants: 'ask you something'
})

/** "my name" is "your name" for the user. */
const toUser = (text: string) =>
  text.replace(/\b(my|mine|me|I am|I)\b/gi, word => addressed[word.toLowerCase()]!)

const addressed: Readonly<Record<string, string>> = {
  my: 'your',
  mine: 'yours',
  me: 'you',
  'i am': 'you are',
  i: 'you'
}

/** Returns a question or a request in the words that followed "ask me": "to choose a color" is "Choose a color". */
function questionOf(asked: string): string {
  const [, kind, rest = ''] = /^(to|for|about|wh\w+|how)\s+(.+)$/is.exec(asked) ?? []
  switch (kind?.toLowerCase()) {
    case undefined:
      return `${upperFirst(asked)}?`
    case 'to':
      return upperFirst(rest)
    case 'for':
      return `Enter ${rest}`
    case 'about':
      return `Tell me about ${rest}`
  }
  const [, subject, verb] = /^(.+) (is|are|was|were)$/i.exec(rest) ?? []
  return verb === undefined ? `Tell me ${asked}` : `${upperFirst(kind!)} ${verb} ${subject}?`
}

const alarm = (count: string, unit: string, what: string, now: number): Omit<Phrase, 'do'> => ({
  tool: 'alarm-clock',
  input: {
    wakeAtISO: new Date(now + Number(count) * SECONDS_PER[unit.toLowerCase()]! * 1000).toISOString(),
    reminderMessage: what
  },
  wants: 'wake up later'
})

const choicesOf = (list: string): string[] =>
  list
    .split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/i)
    .map(choice => choice.trim())
    .filter(Boolean)

const labels = (names: string[]) => names.map(label => ({ label }))
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The last `to` of a phrase normally precedes a helper. In `delegate count to 3`, it is part of the task. */
const isCount = (task: string) => /^count to \d+$/i.test(task)
