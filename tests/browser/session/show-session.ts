import type { Page, Route } from '@playwright/test'
import type { ContextView } from '@waystation/protocol/session/context.ts'
import { answerUrl, now, type StateName } from '#tests/browser/fixtures/states.ts'
import { expect } from '#tests/browser/test.ts'

/**
 * Shows a state with a server that gives these replies, by the last part of the path. Returns the paths of posted
 * requests. `statesUrl` is the URL of the page without a server.
 */
export async function showSession(
  page: Page,
  statesUrl: string,
  state: StateName,
  replies: Record<string, unknown> = {}
): Promise<string[]> {
  const posts: string[] = []
  await page.route('**/api/**', route => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    // The page marks its messages as read.
    if (request.method() === 'POST' && !pathname.endsWith('/read')) posts.push(pathname)
    if (pathname.endsWith('/events')) return
    if (pathname.endsWith('/link')) return route.fulfill({ json: { answerUrl } })
    const reply = replies[pathname.split('/').at(-1) ?? '']
    return reply === undefined
      ? route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
      : route.fulfill({ json: reply })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${statesUrl}/?state=${state}`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', state)
  return posts
}

/**
 * Shows the session `both` with the context that `view` returns. Returns the requests for the context, and the
 * unanswered requests for events.
 */
export async function showContext(page: Page, statesUrl: string, view: () => ContextView) {
  const requests: string[] = []
  const events: Route[] = []
  await page.route('**/api/**', route => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.endsWith('/events')) return events.push(route)
    if (!pathname.endsWith('/context'))
      return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
    requests.push(search)
    return route.fulfill({ json: view() })
  })
  await page.clock.install({ time: now })
  await page.goto(`${statesUrl}/?state=both`)
  return { requests, events }
}

/** Returns a context that fills this share of 100,000 tokens, two thirds of it with tool results. */
export function contextFilledTo(share: number): ContextView {
  const tokens = Math.round(share * 100_000)
  const toolResults = Math.floor((tokens * 2) / 3)
  const rest = { system: 500, tools: 900, summary: 40, assistant: 3000, outOfBand: 60 }
  const user = tokens - toolResults - Object.values(rest).reduce((sum, count) => sum + count, 0)
  return {
    tokens: tokens - 1440,
    entries: 12,
    breakdown: { ...rest, user, toolResults },
    estimated: tokens,
    corrected: tokens,
    ratio: 1,
    contextTokens: 100_000,
    instructionsTokens: 500,
    shown: []
  }
}

const failedAttempt = {
  at: '2026-03-12T14:02:05.000Z',
  ms: 5000,
  status: 503,
  error: 'The endpoint responded with 503.'
}

/** A delivery that failed twice and has two attempts left. */
export const deliveries = [
  {
    id: 'dlv_1',
    toolCallId: 'call_dispatch',
    kind: 'call.opened',
    to: 'https://acme.example/••••',
    state: 'pending',
    attempts: [failedAttempt, { ...failedAttempt, at: '2026-03-12T14:03:00.000Z', ms: 120, status: 500 }],
    retries: 3,
    createdAt: '2026-03-12T14:02:00.000Z',
    nextAt: '2026-03-12T14:08:00.000Z'
  }
]

const message = (role: string, content: unknown) => ({ role, content })

/** A context of 73 entries, two of which are shown. One of them waits for an answer. */
export const context = {
  tokens: 1234,
  entries: 73,
  breakdown: {
    system: 200,
    tools: 210,
    summary: 8,
    user: 234,
    assistant: 600,
    toolResults: 400,
    outOfBand: 0
  },
  estimated: 1652,
  corrected: 1817,
  ratio: 1.1,
  contextTokens: 120_000,
  instructionsTokens: 210,
  summary: { text: '- asked for the river levels', tokens: 8 },
  shown: [
    {
      id: 1,
      kind: 'user',
      tokens: 12,
      stillWaiting: [],
      messages: [message('user', 'Send somebody to look.')]
    },
    {
      id: 2,
      kind: 'step',
      tokens: 80,
      stillWaiting: [{ toolCallId: 'call_dispatch', toolName: 'dispatch-crew', answered: false }],
      messages: [
        message('assistant', [
          { type: 'text', text: 'I ask the crew.' },
          { type: 'tool-call', toolName: 'dispatch-crew' }
        ]),
        message('tool', [
          { type: 'tool-result', toolName: 'dispatch-crew', output: { type: 'text', value: 'Still waiting' } }
        ])
      ]
    }
  ]
}
