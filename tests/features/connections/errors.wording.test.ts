import type { Call } from '@waystation/protocol/call/call.ts'
import { test } from 'vitest'
import { beginOnPage } from '#lib/features/connections/begin-on-page.ts'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { removeIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { revokeConnection } from '#lib/features/connections/revoke.ts'
import { enterCredential, visitConnect } from '#lib/features/connections/visit-connect.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { consentPage, inWords, signInPage } from '#packages/sample-acme/src/pages.ts'
import { people } from '#packages/sample-acme/src/people.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { waitForConnectionCall } from '#tests/support/fakes/connect-accounts.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const person = (id: string, role: 'owner' | 'operator' = 'owner'): Actor => ({
  ...{ kind: 'person', userId: id, name: id, role, workspaceId: 'default' }
})
const search = 'use github-search-issues {"query": "lamps"}'

/** Returns a server whose GitHub accepts this token, and an agent that searches there. */
async function withGitHub(token = 'a-token-of-ada') {
  const service = await startFakeService(token)
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
  const save = (extra: object = {}) =>
    saveIntegration(server.ctx, {
      integration: 'github',
      config: {
        ...{ service: 'GitHub', apiBase: service.url, account: { path: 'user', field: 'login' } },
        apiKey: {
          fields: [{ name: 'token', label: 'Token' }],
          header: { name: 'authorization', value: 'Bearer {token}' }
        },
        ...extra
      }
    })
  await save()
  await server.saveAgent({ chat: { tools: [{ name: 'github-search-issues' }] } })
  /** Returns a session of this actor that waits for an account. */
  const waitingSession = async (actor: Actor = server.ctx.actor) => {
    const { sessionId } = await createSession(server.ctx, { agentId: 'test' })
    const session = await server.reopenSession(sessionId, ctxFor(actor))
    await session.runTurn(search)
    const call = await waitForConnectionCall(session, 'github-search-issues')
    return { session, call, inCall: { sessionId, toolCallId: call.toolCallId } }
  }
  const visitor = (actor: Actor | null = null) => ({ browser: 'one', personIn: async () => actor })
  const enter = async (url: string, token: string) => {
    const ticket = url.split('/').at(-1) ?? ''
    const step = await enterCredential(server.ctx, ticket, visitor(), new URLSearchParams({ token }))
    return 'error' in step ? step.error : step.kind
  }
  return { ...server, service, save, waitingSession, visitor, enter }
}

test('errors explain why an integration cannot be saved', async () => {
  const { save } = await withGitHub()
  await expectSentences([
    [
      'no configuration',
      () => save({ service: 7 }),
      'The integration config is not valid. Correct the named fields.'
    ],
    [
      'plain HTTP',
      () => save({ apiBase: 'http://github.example/' }),
      'These addresses receive secrets, so they must use https.'
    ],
    [
      'an account that is asked for elsewhere',
      () => save({ account: { path: 'https://elsewhere.example/user', field: 'login' } }),
      'Credentials are sent only to the API base and the listed origins.'
    ]
  ])
})

test('errors explain why an account cannot be connected', async () => {
  const { ctx, waitingSession, visitor } = await withGitHub()
  const beginAttempt = (extra: object, actor = ctx.actor) =>
    beginOnPage(ctxFor(actor), { integration: 'github', ...extra })
  const { call, inCall, session } = await waitingSession(person('ada'))
  const { url } = await connectCall(ctxFor(person('ada')), inCall)
  const visitPage = async (actor: Actor | null) => {
    const step = await visitConnect(ctx, url.split('/').at(-1) ?? '', visitor(actor), false)
    return step.kind === 'refused' ? step.words : step
  }
  await expectSentences([
    [
      'an API key for itself',
      () => beginAttempt({ sharing: 'user' }),
      'An API key has no account of its own. Use "sharing": "workspace", or connect in a session.'
    ],
    [
      "a session's, on the page",
      () => beginAttempt({ sharing: 'session' }),
      'To connect an account for one session, connect in that session.'
    ],
    [
      'an operator for the workspace',
      () => beginAttempt({ sharing: 'workspace' }, person('olga', 'operator')),
      'Only editors and owners can connect an account for the whole workspace.'
    ],
    [
      'a page elsewhere',
      () => beginAttempt({ sharing: 'workspace', opener: 'https://evil.example' }),
      'Only pages of this server or of an allowed origin can open this window.'
    ],
    [
      "another person's own",
      () => connectCall(ctxFor(person('bob')), inCall),
      'The agent acts for ada in this session, so only ada can connect an account. You can decline.'
    ],
    [
      "in another person's browser",
      () => visitPage(person('bob')),
      'ada started this connection, but you are signed in as bob. Nothing was connected.'
    ],
    [
      'in a browser where nobody has signed in',
      () => visitPage(null),
      'ada started this connection. Sign in as ada at this address, then start again.'
    ],
    [
      'said in another form',
      () => session.answer(call, { output: 'yes' }),
      'Send {"output": {"connected": true}}, or false with a reason. The call is still open.'
    ],
    [
      'a service that is not set up',
      () => beginAttempt({ integration: 'google', sharing: 'workspace' }),
      'Google is not set up. Ask an owner to set it up under Connections.'
    ]
  ])
})

test('errors explain why a credential cannot be used', async () => {
  const { ctx, service, enter } = await withGitHub()
  const { url } = await beginOnPage(ctx, { integration: 'github', sharing: 'workspace' })
  await expectSentences([
    ['nothing', () => enter(url, ' '), 'Token is missing.'],
    ['two lines', () => enter(url, 'a\nb'), 'A credential must be one line of up to 8,000 characters.'],
    [
      'letters that no header has',
      () => enter(url, 'a字b'),
      'This credential has characters that cannot be sent. Copy it again.'
    ],
    [
      'one that the service does not take',
      () => enter(url, 'another'),
      'GitHub rejected these credentials (401). Check them and enter them again.'
    ],
    [
      'one whose account cannot be asked for',
      () => {
        service.leads = `${service.url}/elsewhere`
        return enter(url, 'a-token-of-ada')
      },
      `GitHub could not be reached: ${new URL(service.url).host} redirected more than 5 times.`
    ]
  ])
})

test('errors explain that a tool’s account is not connected', async () => {
  const { ctx, waitingSession, advanceTime, service, enter, save } = await withGitHub()
  const [declined, disbelieved, timedOut] = [
    await waitingSession(),
    await waitingSession(),
    await waitingSession()
  ]
  const errorOf = async ({ session, call }: typeof declined) => (await session.waitForSettled(call)).errorText
  const reasonOf = ({ render }: Call) => (render?.kind === 'connect' ? render.why : undefined)
  const connection = async () => (await listConnections(ctx)).connections[0]!
  const startConnect = async () => {
    const { url } = await beginOnPage(ctx, { integration: 'github', sharing: 'workspace' })
    return enter(url, 'a-token-of-ada')
  }
  await expectSentences([
    ['asked for', () => reasonOf(declined.call), 'No account is connected.'],
    [
      'declined',
      () => declined.session.answer(declined.call, { declined: true }).then(() => errorOf(declined)),
      'Not run: GitHub is not connected (declined).'
    ],
    [
      'said to be connected',
      () =>
        disbelieved.session
          .answer(disbelieved.call, { output: { connected: true, integration: 'github', slug: 'github' } })
          .then(() => errorOf(disbelieved)),
      'Not run: GitHub is not connected (not_active).'
    ],
    [
      'after its time',
      () => advanceTime(15 * 60).then(() => errorOf(timedOut)),
      'Not run: GitHub is not connected (timeout).'
    ],
    [
      'a token that the service takes no longer',
      async () => {
        await startConnect()
        service.takes.clear()
        return reasonOf((await waitingSession()).call)
      },
      'GitHub returned 401: it no longer accepts this connection.'
    ],
    [
      'a service that moved',
      async () => {
        await save({ origins: ['https://files.github.example'] })
        return (await connection()).fault
      },
      'Ann changed where this integration sends its secrets.'
    ],
    [
      'a service that was removed',
      async () => {
        service.takes.add('a-token-of-ada')
        await startConnect()
        await removeIntegration(ctx, { integration: 'github' })
        return (await connection()).fault
      },
      'Ann removed this integration.'
    ],
    [
      'ended by who may not',
      async () => revokeConnection(ctxFor(person('olga', 'operator')), await connection()),
      'You cannot end this connection. Ask an owner to end it.'
    ],
    [
      'ended',
      async () => {
        await revokeConnection(ctx, await connection())
        return (await connection()).fault
      },
      'Ended by Ann.'
    ]
  ])
})

test('errors of Acme, the sample service, explain the cause', () => {
  const consentInput = { name: 'Waystation', back: undefined, severed: false }
  const ada = { person: people[0]!, scopes: ['orders:read'] }
  return expectSentences([
    ['a sign-in', () => signInPage(consentInput).heading, 'Sign in at Acme'],
    [
      'a consent',
      () => consentPage({ ...consentInput, ...ada }).heading,
      'Waystation wants to use your Acme account'
    ],
    [
      'what is asked for',
      () => inWords(['orders:read', 'orders:write', 'openid', 'offline_access']).join('. '),
      'Read your orders. Create orders for you. Confirm who you are. Keep access while you are away, until you revoke it'
    ]
  ])
})
