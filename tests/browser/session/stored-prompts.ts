import type { PromptMessage, PromptState, StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { now } from '#tests/browser/fixtures/states.ts'
import type { Page } from '#tests/browser/test.ts'

const conversation: PromptMessage[] = [
  { role: 'user', content: 'Read the page, please.' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'web-fetch', input: { url: 'https://a' } }]
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'web-fetch',
        output: { type: 'text', value: 'A page about <b>crews</b>.' }
      }
    ]
  },
  { role: 'assistant', content: [{ type: 'text', text: 'I have read it.' }] },
  { role: 'user', content: 'And now?' }
]

const states = (messages: number): PromptState[] => [
  { stage: 'instructions', messages: 0, tokens: 400, ms: 0 },
  { stage: 'history', messages: messages + 2, tokens: 2400, summary: true, ms: 1 },
  { stage: 'plugin', plugin: 'quiet', outcome: 'same', messages: messages + 2, tokens: 2400, ms: 0 },
  {
    stage: 'plugin',
    plugin: 'duration-filter',
    outcome: 'changed',
    messages,
    tokens: 900,
    leftOut: ['alarm-clock'],
    ms: 3
  },
  { stage: 'plugin', plugin: 'broken', outcome: 'failed', messages, tokens: 900, ms: 5000 },
  { stage: 'final', messages, tokens: 900, leftOut: ['alarm-clock'], ms: 5005 }
]

/** Three steps, with one, three and five messages. */
export const rounds = [1, 3, 5].map((messages, n): StoredPrompt => {
  const promptId = 11 + n
  return {
    promptId,
    turnId: n < 2 ? 'turn_one' : 'turn_two',
    messageId: n < 2 ? 'msg_2' : 'msg_3',
    round: n < 2 ? n + 1 : 1,
    at: new Date(Date.parse(now) - 60_000 * (3 - n)).toISOString(),
    tokens: 1200 + n,
    cacheRead: 0,
    cacheWrite: 0,
    output: 40,
    usd: n === 2 ? 0.0042 : 0,
    estimated: 1200,
    states: states(messages),
    instructions: 'Be brief.\n\nSome tool calls wait.',
    tools: [
      {
        name: 'web-fetch',
        description: 'Reads a page.',
        inputSchema: { type: 'object', properties: { url: { type: 'string' } } }
      }
    ],
    messages: conversation.slice(0, messages),
    same: n === 0 ? 0 : messages - 2,
    ...(n === 0 ? {} : { previous: promptId - 1 }),
    ...(n === 2 ? {} : { next: promptId + 1 })
  }
})

/**
 * Opens the prompt tab of the session `both` with these stored prompts, and returns the requests for them.
 * `statesUrl` is the URL of the page without a server. With `fault`, no prompt can be loaded.
 */
export async function showPrompts(
  page: Page,
  statesUrl: string,
  stored: readonly StoredPrompt[] = rounds,
  fault?: string
) {
  const requests: string[] = []
  await page.route('**/api/**', route => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.endsWith('/events')) return
    const [, id] = pathname.match(/\/prompts(?:\/(\d+))?$/) ?? [undefined, 'none']
    if (id !== 'none') requests.push(`${id ?? ''}${search}`)
    if (id !== 'none' && fault !== undefined)
      return route.fulfill({ status: 410, json: { error: fault, code: 'EXPIRED' } })
    if (id === undefined) return route.fulfill({ json: { prompts: stored.slice(-1), nextBefore: null } })
    const prompt = stored.find(({ promptId }) => String(promptId) === id)
    return prompt === undefined
      ? route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
      : route.fulfill({ json: prompt })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${statesUrl}/?state=both`)
  await page.getByTestId('toggle-inspector').click()
  await page.getByTestId('tab-prompt').click()
  return requests
}
