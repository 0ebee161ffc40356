import { expect, test } from 'vitest'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { visitConnect } from '#lib/features/connections/visit-connect.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { lacks, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { goThrough } from '#tests/support/fakes/connect-acme.ts'
import { by, eveIn, keyOf, person } from '#tests/support/servers/actors.ts'
import type { TestWorld } from '#tests/support/servers/test-server.ts'

/** The product’s server, which acts for its users with the key from the environment. */
const product = keyOf('owner', 'environment')

/** Returns a session in which this actor has asked for an account. */
async function sessionAskedBy(world: Pick<TestWorld, 'ctx' | 'reopen'>, actor: Actor, subject?: string) {
  const { sessionId } = await createSession(world.ctx, {
    agentId: 'acme-clerk',
    ...(subject === undefined ? {} : { subject })
  })
  const session = await world.reopen(sessionId, by(world.ctx, actor))
  await session.says('connect acme')
  return { session, call: await lacks(session, 'request_connection') }
}

test('only the user who asked can connect their own account; another user is refused, and can decline', async () => {
  const world = await withAcme()
  const { session, call } = await sessionAskedBy(world, person('ada'))
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(world.ctx, person('bob')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('ada')
  })
  await expect(connectCall(by(world.ctx, person('ada')), callParams)).resolves.toMatchObject({
    mode: 'oauth'
  })
})

test('a browser that is signed in as another user, or not at all, is refused', async () => {
  const world = await withAcme()
  const { session, call } = await sessionAskedBy(world, person('ada'))
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const { url } = await connectCall(by(world.ctx, person('ada')), callParams)
  const ticket = url.split('/').at(-1) ?? ''
  const visitPage = (actor: Actor | null) =>
    visitConnect(world.ctx, ticket, { browser: 'one', personIn: async () => actor }, false)
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
  const world = await withAcme()
  const { session, call } = await sessionAskedBy(world, world.ctx.actor, 'eve')
  const eveCtx = eveIn(session.id)
  const done = session.ends()
  const { url } = await connectCall(by(world.ctx, eveCtx), {
    sessionId: session.id,
    toolCallId: call.toolCallId
  })
  await goThrough(new Browser(world.origin), `${url}?go`)
  await done
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
  expect((await listConnections(world.ctx)).connections).toMatchObject([{ sharing: 'user', owner: 'eve' }])
  for (const [subject, outcome] of [
    ['eve', 'done'],
    ['mallory', 'parked']
  ] as const) {
    const { sessionId } = await createSession(world.ctx, { agentId: 'acme-clerk', subject })
    const other = await world.reopen(sessionId, by(world.ctx, product))
    expect(await other.says('use acme-list-orders {}'), subject).toMatchObject({ outcome })
  }
})

test('a user who receives a connect URL is asked for consent, regardless of the query that the sender added', async () => {
  const world = await withAcme()
  const { session, call } = await sessionAskedBy(world, world.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  const connectAsEve = () => connectCall(by(world.ctx, eveIn(session.id)), callParams)
  const [{ url }, other] = [await connectAsEve(), await connectAsEve()]
  const [victim, sender] = [new Browser(world.origin), new Browser(world.origin)]
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
  const world = await withAcme()
  const createFor = (actor: Actor) =>
    createSession(by(world.ctx, actor), { agentId: 'acme-clerk', subject: 'eve' })
  const { session } = await sessionAskedBy(world, world.ctx.actor, 'eve')
  const [message] = (await session.get()).messages
  const branch = (actor: Actor) =>
    branchSession(by(world.ctx, actor), { sessionId: session.id, messageId: message?.id ?? '' })
  for (const actor of [person('bob'), keyOf('operator')]) {
    await expect(createFor(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(branch(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // They can still create and branch their own sessions.
    await expect(createSession(by(world.ctx, actor), { agentId: 'acme-clerk' })).resolves.toMatchObject({
      created: true
    })
  }
  for (const actor of [person('ed', 'editor'), keyOf('editor')]) {
    await expect(createFor(actor)).resolves.toMatchObject({ created: true })
    await expect(branch(actor)).resolves.toMatchObject({ agentId: 'acme-clerk' })
  }
})

test('22 A3: an operator’s key cannot connect an account for an end user; an editor’s key can pass the URL on', async () => {
  const world = await withAcme()
  const { session, call } = await sessionAskedBy(world, world.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(world.ctx, keyOf('operator')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(by(world.ctx, keyOf('editor')), callParams)).resolves.toMatchObject({
    mode: 'oauth'
  })
})

test('users who can answer an agent’s calls can connect the account that a call asks for', async () => {
  const world = await withAcme()
  const { config } = await getIntegration(world.ctx, { integration: 'acme' })
  await saveIntegration(world.ctx, { integration: 'acme', config: { ...config, sharing: 'workspace' } })
  const tool = {
    '@ag.embed': {
      '@ag.references': { workflow: { slug: '__ag__request_connection' } },
      '@ag.selector': { path: 'parameters.tool' }
    }
  }
  await world.agent({ chat: { tools: [tool], answer: { roles: ['owner'] } } as never })
  const { sessionId } = await createSession(world.ctx, { agentId: 'test' })
  const session = await world.reopen(sessionId)
  await session.says('use request_connection {"integration":"acme"}')
  const { toolCallId } = await lacks(session, 'request_connection')
  const callParams = { sessionId: session.id, toolCallId }
  await expect(connectCall(by(world.ctx, person('ed', 'editor')), callParams)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(world.ctx, callParams)).resolves.toMatchObject({ mode: 'oauth' })
})

test('an editor or owner connects the workspace’s account, even if a call asks for it', async () => {
  const world = await withAcme()
  const { config } = await getIntegration(world.ctx, { integration: 'acme' })
  await saveIntegration(world.ctx, { integration: 'acme', config: { ...config, sharing: 'workspace' } })
  const { session, call } = await sessionAskedBy(world, world.ctx.actor, 'eve')
  const callParams = { sessionId: session.id, toolCallId: call.toolCallId }
  for (const actor of [eveIn(session.id), person('bob')])
    for (const reconnect of [false, true])
      await expect(
        connectCall(by(world.ctx, actor), { ...callParams, again: reconnect })
      ).rejects.toMatchObject({
        code: 'FORBIDDEN'
      })
  await expect(connectCall(world.ctx, callParams)).resolves.toMatchObject({ mode: 'oauth' })
})
