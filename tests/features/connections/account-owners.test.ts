import { expect, test } from 'vitest'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { visitConnect } from '#lib/features/connections/visit-connect.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { completeFlow } from '#tests/support/fakes/connect-acme.ts'
import { by, eveIn, keyOf, person } from '#tests/support/servers/actors.ts'
import type { TestServer } from '#tests/support/servers/test-server.ts'

/** The product’s server, which acts for its users with the key from the environment. */
const product = keyOf('owner', 'environment')

/** Returns a session in which this actor has asked for an account. */
async function sessionAskedBy(
  server: Pick<TestServer, 'ctx' | 'reopenSession'>,
  actor: Actor,
  subject?: string
) {
  const { sessionId } = await createSession(server.ctx, {
    agentId: 'acme-clerk',
    ...(subject === undefined ? {} : { subject })
  })
  const session = await server.reopenSession(sessionId, by(server.ctx, actor))
  await session.runTurn('connect acme')
  return { session, call: await waitForConnectionCall(session, 'request_connection') }
}

test('only the user who asked can connect their own account; another user is refused, and can decline', async () => {
  const server = await withAcme()
  const { session, call } = await sessionAskedBy(server, person('ada'))
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(server.ctx, person('bob')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('ada')
  })
  await expect(connectCall(by(server.ctx, person('ada')), callParams)).resolves.toMatchObject({
    mode: 'oauth'
  })
})

test('a browser that is signed in as another user, or not at all, is refused', async () => {
  const server = await withAcme()
  const { session, call } = await sessionAskedBy(server, person('ada'))
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const { url } = await connectCall(by(server.ctx, person('ada')), callParams)
  const ticket = url.split('/').at(-1) ?? ''
  const visitPage = (actor: Actor | null) =>
    visitConnect(server.ctx, ticket, { browser: 'one', personIn: async () => actor }, false)
  expect(await visitPage(person('bob'))).toEqual({
    kind: 'refused',
    words: expect.stringMatching(/ada.*bob/)
  })
  expect(await visitPage(null)).toMatchObject({
    kind: 'refused',
    words: expect.stringContaining('ada')
  })
  expect(await visitPage(person('ada'))).toMatchObject({ kind: 'go' })
})

test('an end user connects their own account and uses it in every session of theirs; no other user can use it', async () => {
  const server = await withAcme()
  const { session, call } = await sessionAskedBy(server, server.ctx.actor, 'eve')
  const eveCtx = eveIn(session.id)
  const done = session.waitForEnd()
  const { url } = await connectCall(by(server.ctx, eveCtx), {
    sessionId: session.id,
    toolCallId: call.toolCallId
  })
  await completeFlow(new Browser(server.origin), `${url}?go`)
  await done
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
  expect((await listConnections(server.ctx)).connections).toMatchObject([{ sharing: 'user', owner: 'eve' }])
  for (const [subject, outcome] of [
    ['eve', 'done'],
    ['mallory', 'parked']
  ] as const) {
    const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk', subject })
    const other = await server.reopenSession(sessionId, by(server.ctx, product))
    expect(await other.runTurn('use acme-list-orders {}'), subject).toMatchObject({ outcome })
  }
})

test('a user who receives a connect URL is asked for consent, regardless of the query that the sender added', async () => {
  const server = await withAcme()
  const { session, call } = await sessionAskedBy(server, server.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const connectAsEve = () => connectCall(by(server.ctx, eveIn(session.id)), callParams)
  const [{ url }, other] = [await connectAsEve(), await connectAsEve()]
  const [victim, sender] = [new Browser(server.origin), new Browser(server.origin)]
  const openConsent = async (browser: Browser, address: string) => {
    const text = await (await browser.ask(address)).text()
    const consentQuery = /href="[^"]+\?(go=[^"]+)"/.exec(text)?.[1]
    expect(consentQuery).toBeDefined()
    expect(text).toContain('eve')
    return consentQuery ?? ''
  }
  const senderQuery = await openConsent(sender, other.url)
  for (const suffix of ['go&', 'go=', 'go=1', senderQuery]) await openConsent(victim, `${url}?${suffix}`)
  expect((await victim.open(`${url}?${await openConsent(victim, url)}`)).text).toContain('name="person"')
})

test('22 A3: only callers who can change the workspace can create or branch a session for an end user', async () => {
  const server = await withAcme()
  const createFor = (actor: Actor) =>
    createSession(by(server.ctx, actor), { agentId: 'acme-clerk', subject: 'eve' })
  const { session } = await sessionAskedBy(server, server.ctx.actor, 'eve')
  const [message] = (await session.get()).messages
  const branch = (actor: Actor) =>
    branchSession(by(server.ctx, actor), { sessionId: session.id, messageId: message?.id ?? '' })
  for (const actor of [person('bob'), keyOf('operator')]) {
    await expect(createFor(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(branch(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // They can still create and branch their own sessions.
    await expect(createSession(by(server.ctx, actor), { agentId: 'acme-clerk' })).resolves.toMatchObject({
      created: true
    })
  }
  for (const actor of [person('ed', 'editor'), keyOf('editor')]) {
    await expect(createFor(actor)).resolves.toMatchObject({ created: true })
    await expect(branch(actor)).resolves.toMatchObject({ agentId: 'acme-clerk' })
  }
})

test('22 A3: an operator’s key cannot connect an account for an end user; an editor’s key can pass the URL on', async () => {
  const server = await withAcme()
  const { session, call } = await sessionAskedBy(server, server.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(server.ctx, keyOf('operator')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(by(server.ctx, keyOf('editor')), callParams)).resolves.toMatchObject({
    mode: 'oauth'
  })
})

test('users who can answer an agent’s calls can connect the account that a call asks for', async () => {
  const server = await withAcme()
  const { config } = await getIntegration(server.ctx, { integration: 'acme' })
  await saveIntegration(server.ctx, { integration: 'acme', config: { ...config, sharing: 'workspace' } })
  const tool = {
    '@ag.embed': {
      '@ag.references': { workflow: { slug: '__ag__request_connection' } },
      '@ag.selector': { path: 'parameters.tool' }
    }
  }
  await server.saveAgent({ chat: { tools: [tool], answer: { roles: ['owner'] } } as never })
  const { sessionId } = await createSession(server.ctx, { agentId: 'test' })
  const session = await server.reopenSession(sessionId)
  await session.runTurn('use request_connection {"integration":"acme"}')
  const { toolCallId } = await waitForConnectionCall(session, 'request_connection')
  const callParams = { sessionId: session.id, toolCallId }
  await expect(connectCall(by(server.ctx, person('ed', 'editor')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(server.ctx, callParams)).resolves.toMatchObject({ mode: 'oauth' })
})

test('an editor or owner connects the workspace’s account, even if a call asks for it', async () => {
  const server = await withAcme()
  const { config } = await getIntegration(server.ctx, { integration: 'acme' })
  await saveIntegration(server.ctx, { integration: 'acme', config: { ...config, sharing: 'workspace' } })
  const { session, call } = await sessionAskedBy(server, server.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  for (const actor of [eveIn(session.id), person('bob')])
    for (const reconnect of [false, true])
      await expect(
        connectCall(by(server.ctx, actor), { ...callParams, again: reconnect })
      ).rejects.toMatchObject({
        code: 'FORBIDDEN'
      })
  await expect(connectCall(server.ctx, callParams)).resolves.toMatchObject({ mode: 'oauth' })
})
