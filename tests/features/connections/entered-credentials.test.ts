import { expect, test } from 'vitest'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { revokeConnection } from '#lib/features/connections/revoke.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { waitForConnectionCall } from '#tests/support/fakes/connect-accounts.ts'
import { type FakeService, startFakeService } from '#tests/support/fakes/fake-service.ts'
import { serveConnect } from '#tests/support/fakes/serve-connect.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const token = 'github_pat_a-secret-of-ada'
const search = 'use github-search-issues {"query": "lamps"}'

/** Returns a server with a fake GitHub, and a session of an agent with the GitHub tools. */
async function withGitHub(...tokens: string[]) {
  const url = await serveConnect()
  const service = await startFakeService(...tokens)
  const server = await startTestServer({
    settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  await saveIntegration(server.ctx, { integration: 'github', config: gitHubConfig(service) })
  const tools = ['github-search-issues', 'github-read-file', 'github-open-issue'].map(name => ({ name }))
  await server.saveAgent({ chat: { tools } })
  return { ...server, service, session: await server.startSession('test') }
}

const gitHubConfig = ({ url }: FakeService) => ({
  service: 'GitHub',
  apiBase: url,
  apiKey: {
    fields: [{ name: 'token', label: 'Personal access token' }],
    header: { name: 'authorization', value: 'Bearer {token}' }
  },
  account: { path: 'user', field: 'login' }
})

/** Enters this credential on the page of a call’s attempt, in a new browser. */
async function enter(
  server: Pick<TestServer, 'ctx' | 'env'>,
  session: TestSession,
  toolCallId: string,
  secret: string
) {
  const { url } = await connectCall(server.ctx, { sessionId: session.id, toolCallId })
  const browser = new Browser(server.env.url)
  await browser.open(url)
  return browser.press(new URL(url).pathname, { token: secret })
}

/** Lets the first search wait for an account, and run once this one is entered. */
async function connectAccount(server: Pick<TestServer, 'ctx' | 'env'>, session: TestSession) {
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  const done = session.waitForEnd()
  await enter(server, session, call.toolCallId, token)
  await done
}

test('a tool without an account waits for one, and runs once it is connected (002-7, 002-9)', async () => {
  const server = await withGitHub(token)
  const { session, service } = server
  const { outcome } = await session.runTurn(search)
  expect(outcome).toBe('parked')
  const call = await waitForConnectionCall(session, 'github-search-issues')
  expect(call).toMatchObject({
    kind: 'connection',
    where: 'server',
    onDeadline: 'not-connected',
    render: { kind: 'connect', integration: 'github', slug: 'github', service: 'GitHub', modes: ['api_key'] }
  })
  expect(service.asked).toEqual([])

  const { status, text } = await enter(server, session, call.toolCallId, token)
  expect(status).toBe(200)
  expect(text).toContain('"connected":true')
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'approved', answeredBy: 'Ann' })
  await session.waitForText('It waits')
  expect(service.asked.map(({ path }) => path)).toEqual(['/user', '/search/issues?q=lamps&per_page=10'])
  expect(service.asked[1]).toMatchObject({ authorization: `Bearer ${token}`, key: call.toolCallId })

  const { connections } = await listConnections(server.ctx)
  expect(connections).toMatchObject([
    {
      integration: 'github',
      sharing: 'session',
      state: 'active',
      account: 'ada',
      sessions: [{ sessionId: session.id }]
    }
  ])
})

test('the next tool of the session uses the same account without asking', async () => {
  const server = await withGitHub(token)
  const { session } = server
  await connectAccount(server, session)
  const { outcome } = await session.runTurn(
    'use github-read-file {"repository": "acme/lamps", "path": "README.md"}'
  )
  expect(outcome).toBe('done')
  await session.waitForText('a file')
})

test('credentials that the service rejects are not stored: the page shows the error, and the call stays open', async () => {
  const server = await withGitHub(token)
  const { session } = server
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  const { status, text } = await enter(server, session, call.toolCallId, 'wrong')
  expect(status).toBe(422)
  expect(text).toContain('(401)')
  expect(text).not.toContain('wrong')
  expect((await listConnections(server.ctx)).connections).toEqual([])
  const { calls } = await session.get()
  expect(calls.find(({ toolCallId }) => toolCallId === call.toolCallId)?.state).toBe('open')
})

test('a credential that no header can carry is refused on the page, and never sent', async () => {
  const server = await withGitHub(token)
  const { session, service } = server
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  for (const secret of ['漢', 'a\u0000b', 'a\u007fb', '“quoted”']) {
    const { status } = await enter(server, session, call.toolCallId, secret)
    expect(status).toBe(422)
  }
  expect(service.asked).toEqual([])
  expect((await listConnections(server.ctx)).connections).toEqual([])
})

test('a 401 during a run asks again instead of failing, and the effect happens once', async () => {
  const server = await withGitHub(token, 'another-secret')
  const { session, service } = server
  await connectAccount(server, session)
  service.takes.delete(token)
  await session.send('use github-open-issue {"repository": "acme/lamps", "title": "Broken"}')
  const approval = await session.waitForCall('github-open-issue')
  await session.answer(approval, { approved: true })
  const connectCall = await waitForConnectionCall(session, 'github-open-issue')
  await enter(server, session, connectCall.toolCallId, 'another-secret')
  await session.waitForEvent(
    event => event.type === 'call' && event.call.ranAt !== undefined && event.call.state === 'approved'
  )
  await session.waitForText('`github-open-issue` answered')
  const postRequests = service.asked.filter(({ method }) => method === 'POST')
  expect(postRequests.map(({ authorization }) => authorization)).toEqual([
    `Bearer ${token}`,
    'Bearer another-secret'
  ])
  expect(new Set(postRequests.map(({ key }) => key)).size).toBe(1)
})

test('a revoked connection is unusable from the next call of a running turn', async () => {
  const server = await withGitHub(token)
  const { session, service } = server
  await connectAccount(server, session)
  const [connection] = (await listConnections(server.ctx)).connections
  const revoked = Promise.withResolvers<void>()
  service.answers = async path => {
    if (path.startsWith('/search')) {
      await revokeConnection(server.ctx, { connectionId: connection?.connectionId ?? '' })
      revoked.resolve()
    }
    return { total_count: 0, items: [] }
  }
  const { outcome } = await session.runTurn(
    `${search}\nthen\nuse github-read-file {"repository": "acme/lamps", "path": "a"}`
  )
  await revoked.promise
  expect(outcome).toBe('parked')
  expect(await waitForConnectionCall(session, 'github-read-file')).toMatchObject({
    render: { why: 'Ended by Ann.' }
  })
  expect(service.asked.some(({ path }) => path.startsWith('/repos'))).toBe(false)
})

test('after a decline the tool learns that it did not run, and only users see the reason', async () => {
  const { session, service } = await withGitHub(token)
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  const done = session.waitForEnd()
  await session.answer(call, { declined: true, reason: 'I have no account' })
  await done
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'declined',
    errorText: expect.stringContaining('(declined)')
  })
  expect(service.asked).toEqual([])
})

test('002-11: a connection without an answer for 15 minutes fails with reason timeout', async () => {
  const { session, advanceTime } = await withGitHub(token)
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  expect(Date.parse(call.deadline) - Date.parse(call.since)).toBe(15 * 60_000)
  await advanceTime(15 * 60)
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'expired',
    errorText: expect.stringContaining('(timeout)')
  })
})

test('a client’s claim to be connected is not trusted: the tool does not run', async () => {
  const { session, service } = await withGitHub(token)
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  await session.answer(call, { output: { connected: true, integration: 'github', slug: 'github' } })
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'failed',
    errorText: expect.stringContaining('(not_active)')
  })
  expect(service.asked).toEqual([])
})

test('a credential that a service echoes does not reach the conversation', async () => {
  const server = await withGitHub(token)
  const { session } = server
  await connectAccount(server, session)
  server.service.answers = () => `You sent ${token}, thank you`
  await session.runTurn('use github-read-file {"repository": "acme/lamps", "path": "a"}')
  await session.waitForText('You sent ••••, thank you')
  const stored = await server.sql`
    select session_key from events where events::text like ${`%${token}%`}
    union all select session_key from calls where calls::text like ${`%${token}%`}`
  expect([...stored]).toEqual([])
})

test('HTTP Basic credentials that a service echoes do not reach the conversation either', async () => {
  const server = await withGitHub()
  const { session, service, ctx } = server
  const sent = Buffer.from('ada:correct-horse').toString('base64')
  service.takes.add(`Basic ${sent}`)
  const apiKey = {
    fields: ['user', 'password'].map(name => ({ name, label: name })),
    header: { name: 'authorization', value: '{user}:{password}', basic: true }
  }
  await saveIntegration(ctx, { integration: 'github', config: { ...gitHubConfig(service), apiKey } })
  await session.runTurn(search)
  const call = await waitForConnectionCall(session, 'github-search-issues')
  const done = session.waitForEnd()
  const { url } = await connectCall(ctx, { sessionId: session.id, toolCallId: call.toolCallId })
  await new Browser(server.env.url).press(new URL(url).pathname, { user: 'ada', password: 'correct-horse' })
  await done
  service.answers = () => `You sent Basic ${sent}, thank you`
  await session.runTurn('use github-read-file {"repository": "acme/lamps", "path": "a"}')
  await session.waitForText('You sent Basic ••••, thank you')
})

test('an error after a redirect to another origin does not affect the account', async () => {
  const server = await withGitHub(token)
  const { session, service, ctx } = server
  const otherService = await startFakeService()
  await connectAccount(server, session)
  service.leads = `${otherService.url}/file`
  const { outcome } = await session.runTurn('use github-read-file {"repository": "acme/lamps", "path": "a"}')
  expect(outcome).toBe('done')
  expect((await session.get()).calls.at(-1)?.errorText).toContain('401')
  expect(otherService.asked).toMatchObject([{ path: '/file', authorization: undefined }])
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'active' }])
})

test('a file or repository name from a model cannot reach another URL of GitHub', async () => {
  const server = await withGitHub(token)
  const { session, service } = server
  await connectAccount(server, session)
  const requestCount = service.asked.length
  for (const [repository, path] of [
    ['acme/lamps', '../../../../user/emails'],
    ['acme/lamps', 'docs/./a'],
    ['../..', 'a'],
    ['acme/..', 'a']
  ])
    await session.runTurn(`use github-read-file ${JSON.stringify({ repository, path })}`)
  expect(service.asked.slice(requestCount)).toEqual([])
  await session.runTurn('use github-read-file {"repository": "acme/lamps", "path": ".github/a..b"}')
  expect(service.asked.at(-1)?.path).toBe('/repos/acme/lamps/contents/.github/a..b')
})
