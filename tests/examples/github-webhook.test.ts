import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { openApi } from '#scripts/serve/api.ts'
import { startExample } from '#tests/examples/start-example.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const secret = 'the secret of the webhook'
const repository = { full_name: 'octo/app' }
const sender = { login: 'ann' }
const failedRun = {
  action: 'completed',
  repository,
  workflow_run: {
    name: 'CI',
    conclusion: 'failure',
    head_branch: 'main',
    head_sha: '0123456789abcdef',
    html_url: 'https://github.com/octo/app/actions/runs/7'
  }
}

/** Starts the receiver for a server with the sessions `app` and `release`. */
async function startReceiver(settings: Record<string, string> = {}) {
  const server = await startTestServer()
  for (const sessionId of ['app', 'release']) await createSession(server.ctx, { agentId: 'guide', sessionId })
  const api = openApi()
  const http = createServer((request, response) => {
    if (!api(request, response)) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void http.close())
  await once(http, 'listening')
  const { url } = await startExample(process.execPath, ['examples/github-webhook/receiver.mjs'], {
    WAYSTATION: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    KEY: 'the-admin-key-of-every-test',
    SECRET: secret,
    SESSIONS: JSON.stringify({ 'octo/app': 'app', 'octo/app#main': 'release' }),
    ...settings
  })
  /** Sends an event like GitHub does. */
  const deliver = async (
    event: string,
    payload: object,
    { delivery = 'd-1', key = secret, query = '' } = {}
  ) => {
    const body = JSON.stringify(payload)
    const response = await fetch(`${url}${query}`, {
      method: 'POST',
      headers: {
        'x-github-event': event,
        'x-github-delivery': delivery,
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
      },
      body
    })
    return { status: response.status, text: await response.text() }
  }
  const messages = async (sessionId: string) =>
    (await listOutOfBand(server.ctx, { sessionId })).messages.reverse()
  return { deliver, messages }
}

test('004-2: a failed workflow reaches the session of its branch once, even if GitHub delivers it again', async () => {
  const { deliver, messages } = await startReceiver()
  const first = await deliver('workflow_run', failedRun)
  expect(first.status).toBe(202)
  expect(await deliver('workflow_run', failedRun)).toEqual(first)
  expect(await messages('release')).toMatchObject([
    {
      source: 'external',
      sourceId: 'github:octo/app',
      priority: 'high',
      content: expect.stringContaining('CI'),
      metadata: { relatedTo: '0123456789abcdef', event: 'workflow_run' }
    }
  ])
  await deliver('workflow_run', failedRun, { delivery: 'd-2' })
  expect(await messages('release')).toHaveLength(2)
  expect(await messages('app')).toEqual([])
})

test('a forged or missing signature gets 401, and no session receives the event', async () => {
  const { deliver, messages } = await startReceiver()
  expect((await deliver('workflow_run', failedRun, { key: 'another secret' })).status).toBe(401)
  expect(await messages('release')).toEqual([])
})

test('an event without a message is ignored with 202, and a message that the server rejects is a 502', async () => {
  const { deliver, messages } = await startReceiver()
  const ignored: [string, object][] = [
    ['star', { action: 'created', repository }],
    ['constructor', { repository }],
    ['workflow_run', { ...failedRun, action: 'requested' }],
    ['workflow_run', { ...failedRun, repository: { full_name: 'octo/other' } }],
    ['push', { ref: 'refs/tags/v1', commits: [], repository }]
  ]
  for (const [event, payload] of ignored) {
    const { status, text } = await deliver(event, payload)
    expect([event, status, text]).toEqual([event, 202, expect.stringContaining('Ignored')])
  }
  expect([...(await messages('app')), ...(await messages('release'))]).toEqual([])
  expect((await deliver('workflow_run', failedRun, { query: '?session=missing' })).status).toBe(502)
})

test('pushes, checks, comments and reviews become messages with a priority and what they are about', async () => {
  const { deliver, messages } = await startReceiver()
  const pull = { number: 12, title: 'Fix it', head: { ref: 'main' } }
  const events: [string, object][] = [
    [
      'push',
      {
        ref: 'refs/heads/main',
        after: 'abcdef0123',
        commits: [{ id: 'abcdef0123', message: 'Fix the login\n\nDetails.' }],
        pusher: { name: 'ann' },
        compare: 'https://github.com/octo/app/compare/1...2',
        repository
      }
    ],
    [
      'check_suite',
      {
        action: 'completed',
        check_suite: {
          conclusion: 'success',
          head_branch: 'main',
          head_sha: 'abcdef0123',
          app: { name: 'Lint' }
        },
        repository
      }
    ],
    [
      'pull_request_review',
      {
        action: 'submitted',
        review: {
          state: 'changes_requested',
          body: 'Please add a test.',
          user: sender,
          html_url: 'https://x'
        },
        pull_request: pull,
        repository
      }
    ],
    [
      'issue_comment',
      {
        action: 'created',
        issue: pull,
        comment: { user: sender, body: 'x'.repeat(9000), html_url: 'https://x' },
        repository
      }
    ]
  ]
  for (const [n, [event, payload]] of events.entries())
    expect((await deliver(event, payload, { delivery: `d-${n}` })).status).toBe(202)
  expect(await messages('release')).toMatchObject([
    {
      priority: 'normal',
      content: expect.stringContaining('Fix the login'),
      metadata: { relatedTo: 'abcdef0123' }
    },
    { priority: 'low', content: expect.stringContaining('Lint'), metadata: { relatedTo: 'abcdef0123' } },
    {
      priority: 'high',
      content: expect.stringContaining('add a test'),
      metadata: { relatedTo: 'octo/app#12' }
    }
  ])
  const [comment, ...others] = await messages('app')
  expect(others).toEqual([])
  expect(comment).toMatchObject({ priority: 'normal', metadata: { relatedTo: 'octo/app#12' } })
  expect(comment?.content.length).toBeLessThan(2000)
})
