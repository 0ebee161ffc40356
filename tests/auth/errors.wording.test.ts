import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import type { Operation } from '#lib/http/operation.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { SubjectScope } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { replyCalls } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const signIn = { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }
const question = { name: 'ask-question', input: { question: 'Tea?' } }

type Row = [what: string, attempt: () => Promise<string | undefined>, sentence: string]

async function expectSentences(rows: readonly Row[]) {
  for (const [what, attempt, sentence] of rows) expect(await attempt(), what).toBe(sentence)
}

/** Sends requests with these headers and returns the error message. */
const errorWith =
  (headers: Record<string, string>) =>
  async (operation: Operation, request: EndpointCall = {}): Promise<string | undefined> => {
    const response = await requestEndpoint(operation, {
      ...request,
      headers: { ...headers, ...request.headers }
    })
    return ((await response.json()) as { error?: string }).error
  }
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

test('error messages for a session token that lacks a scope or is revoked', async () => {
  const server = await startTestServer({ script: [replyCalls(question)] })
  const session = await server.startSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const params = { sessionId: session.id }
  const make = async (scopes: SubjectScope[], subject = 'ada') => {
    const { token } = await createToken(server.ctx, { ...params, subject, scopes, ttlSeconds: 600 })
    return errorWith(bearer(token))
  }
  const [reads, sends] = [await make(['read']), await make(['read', 'send'])]
  const revokedToken = await createToken(server.ctx, {
    ...params,
    subject: 'ada',
    scopes: ['read'],
    ttlSeconds: 600
  })
  await callEndpoint(tokenOperations.revoke, { params: { ...params, tokenId: revokedToken.tokenId } })
  const answer = { params: { ...params, toolCallId: call.toolCallId }, body: { declined: true } }
  const subject = ctxFor({
    ...{ kind: 'subject', tokenId: 't', name: 'ada', subject: 'ada', scopes: ['read', 'send'] },
    ...{ sessionId: session.id, generation: 1, workspaceId: 'default' }
  })
  const asSubject = (attempt: Promise<unknown>) => attempt.then(String, error => (error as Error).message)
  await expectSentences([
    [
      'to send',
      () => reads(sessionOperations.send, { params, body: { text: 'hi' } }),
      'This request needs the scope send, but the session token has only read.'
    ],
    [
      'to answer',
      () => sends(callOperations.answer, answer),
      'This request needs the scope answer, but the session token has only read, send.'
    ],
    [
      'to cancel a call',
      () => sends(sessionOperations.cancel, { params, body: { calls: true } }),
      'This session token can stop the turn but not cancel its calls. Canceling calls needs the scope "answer".'
    ],
    [
      'another call of the API',
      () => sends(workspaceOperations.get),
      'A session token gives access only to its own session. Send an API key for this request.'
    ],
    [
      'after it was revoked',
      () => errorWith(bearer(revokedToken.token))(sessionOperations.get, { params }),
      'This session token has expired or was revoked, or its session was deleted. Get a new token.'
    ],
    [
      'from a page that is not allowed',
      () => reads(sessionOperations.get, { params, headers: { origin: 'https://evil.example' } }),
      'Pages at https://evil.example cannot use session tokens of this workspace. An owner can allow this origin in Settings.'
    ],
    [
      'to make a session',
      () => asSubject(createSession(subject, { agentId: 'guide', sessionId: 'new' })),
      'A session token cannot create sessions. It gives access only to its own session.'
    ],
    [
      'to undo what another person wrote',
      async () => {
        const [first] = (await session.get()).messages
        return asSubject(rerunTurn(subject, { ...params, messageId: first!.id, calls: true }))
      },
      'Someone else has written in this conversation since then. Only members of the workspace can undo that.'
    ]
  ])
})

test('error messages for a role that is too low, and for the last owner', async () => {
  const server = await startTestServer({ settings: signIn })
  const person = async (id: string, role: string) => {
    await server.sql`insert into users (id, name) values (${id}, ${id})`
    await server.sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
    const cookie = await signInCookie(server, id)
    return (origin: string) => errorWith({ cookie, origin })
  }
  const [olga, vic] = [await person('Olga', 'owner'), await person('Vic', 'viewer')]
  const ownOrigin = 'http://localhost:3000'
  const onlyOwner = 'Olga is the only owner of this workspace. Make another member an owner first.'
  const rule = (deny: string) => ({ body: { toolRules: [{ deny: [deny] }] } })
  await expectSentences([
    [
      'no credentials',
      () => errorWith({})(workspaceOperations.get),
      'Authentication is required. Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
    ],
    [
      'a viewer who invites',
      () => vic(ownOrigin)(memberOperations.invite, { body: { role: 'viewer' } }),
      'This action needs the role owner, but your role is viewer. Ask an owner for access.'
    ],
    [
      "an operator's key that changes the workspace",
      async () => {
        const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'operator' })
        return errorWith(bearer(secret))(workspaceOperations.update, { body: { retentionDays: 1 } })
      },
      'This action needs the role owner, but your role is operator. Ask an owner for access.'
    ],
    [
      'a page elsewhere',
      () => olga('https://evil.example')(memberOperations.invite, { body: { role: 'viewer' } }),
      'Request blocked: its Origin does not match WAYSTATION_URL. Open Waystation at that address, or send an API key.'
    ],
    [
      'the last owner who leaves',
      () => olga(ownOrigin)(memberOperations.remove, { params: { userId: 'Olga' } }),
      onlyOwner
    ],
    [
      'the last owner who steps down',
      () =>
        olga(ownOrigin)(memberOperations.changeRole, {
          params: { userId: 'Olga' },
          body: { role: 'viewer' }
        }),
      onlyOwner
    ],
    [
      'a member who is none',
      () => olga(ownOrigin)(memberOperations.remove, { params: { userId: 'eve' } }),
      'There is no member "eve".'
    ],
    [
      'a tool rule that cannot be looked for',
      () => olga(ownOrigin)(workspaceOperations.update, rule('(a')),
      '"toolRules.0.deny.0" is not a valid pattern: missing closing ): (a. Nothing was saved.'
    ]
  ])
})

test('error message for an invitation on a server without a sign-in provider', async () => {
  await startTestServer()
  expect((await callEndpoint(memberOperations.invite, { body: { role: 'viewer' } })).body.error).toBe(
    'This server has no sign-in provider, so the invited person could not sign in. Set one up first, for example with AUTH_GITHUB_ID (docs/people.md).'
  )
})
