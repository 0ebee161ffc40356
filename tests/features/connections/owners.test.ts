import { expect, test } from 'vitest'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { getIntegration, saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { visitConnect } from '#lib/features/connections/visit-connect.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { goThrough } from '#tests/support/fakes/connect-acme.ts'
import { lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { by, eveIn, keyOf, person } from '#tests/support/worlds/actors.ts'
import type { TestWorld } from '#tests/support/worlds/world.ts'

/** The product’s server, which speaks for its users by the environment’s key. */
const product = keyOf('owner', 'environment')

/** A session in which this one has asked for an account. */
async function askedBy(world: Pick<TestWorld, 'ctx' | 'reopen'>, actor: Actor, subject?: string) {
  const { sessionId } = await createSession(world.ctx, {
    agentId: 'acme-clerk',
    ...(subject === undefined ? {} : { subject })
  })
  const session = await world.reopen(sessionId, by(world.ctx, actor))
  await session.says('connect acme')
  return { session, call: await lacks(session, 'request_connection') }
}

test('it is whoever asked that connects their own account: somebody else is refused, and may decline', async () => {
  const world = await withAcme()
  const { session, call } = await askedBy(world, person('ada'))
  const asked = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(world.ctx, person('bob')), asked)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('ada')
  })
  await expect(connectCall(by(world.ctx, person('ada')), asked)).resolves.toMatchObject({ mode: 'oauth' })
})

test('a browser in which somebody else has signed in, or nobody, is refused', async () => {
  const world = await withAcme()
  const { session, call } = await askedBy(world, person('ada'))
  const asked = { sessionId: session.id, toolCallId: call.toolCallId }
  const { url } = await connectCall(by(world.ctx, person('ada')), asked)
  const ticket = url.split('/').at(-1) ?? ''
  const visit = (actor: Actor | null) =>
    visitConnect(world.ctx, ticket, { browser: 'one', personIn: async () => actor }, false)
  expect(await visit(person('bob'))).toEqual({
    kind: 'refused',
    words: expect.stringMatching(/ada.*bob/)
  })
  expect(await visit(null)).toMatchObject({
    kind: 'refused',
    words: expect.stringContaining('ada')
  })
  expect(await visit(person('ada'))).toMatchObject({ kind: 'go' })
})

test('an end user connects their own account: it is theirs in every session of theirs, and of no other user', async () => {
  const world = await withAcme()
  const { session, call } = await askedBy(world, world.ctx.actor, 'eve')
  const eve = eveIn(session.id)
  const done = session.ends()
  const { url } = await connectCall(by(world.ctx, eve), {
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

test('who is sent an address is asked, whatever the sender wrote behind it: the answer is good in the browser that was asked', async () => {
  const world = await withAcme()
  const { session, call } = await askedBy(world, world.ctx.actor, 'eve')
  const asked = { sessionId: session.id, toolCallId: call.toolCallId }
  const begun = () => connectCall(by(world.ctx, eveIn(session.id)), asked)
  const [{ url }, other] = [await begun(), await begun()]
  const [lured, sender] = [new Browser(world.origin), new Browser(world.origin)]
  const goIn = async (browser: Browser, address: string) => {
    const text = await (await browser.ask(address)).text()
    const go = /href="[^"]+\?(go=[^"]+)"/.exec(text)?.[1]
    expect(go).toBeDefined()
    expect(text).toContain('eve')
    return go ?? ''
  }
  const theirs = await goIn(sender, other.url)
  for (const behind of ['go&', 'go=', 'go=1', theirs]) await goIn(lured, `${url}?${behind}`)
  expect((await lured.open(`${url}?${await goIn(lured, url)}`)).text).toContain('name="person"')
})

test('22 A3: only who may change the workspace says for which end user a session is, by making it or by branching it', async () => {
  const world = await withAcme()
  const make = (actor: Actor) =>
    createSession(by(world.ctx, actor), { agentId: 'acme-clerk', subject: 'eve' })
  const { session } = await askedBy(world, world.ctx.actor, 'eve')
  const [message] = (await session.get()).messages
  const branch = (actor: Actor) =>
    branchSession(by(world.ctx, actor), { sessionId: session.id, messageId: message?.id ?? '' })
  for (const actor of [person('bob'), keyOf('operator')]) {
    await expect(make(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(branch(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // Their own sessions they make and branch as before.
    await expect(createSession(by(world.ctx, actor), { agentId: 'acme-clerk' })).resolves.toMatchObject({
      created: true
    })
  }
  for (const actor of [person('ed', 'editor'), keyOf('editor')]) {
    await expect(make(actor)).resolves.toMatchObject({ created: true })
    await expect(branch(actor)).resolves.toMatchObject({ agentId: 'acme-clerk' })
  }
})

test('22 A3: an operator’s key connects no account for an end user; an editor’s hands the address on', async () => {
  const world = await withAcme()
  const { session, call } = await askedBy(world, world.ctx.actor, 'eve')
  const asked = { sessionId: session.id, toolCallId: call.toolCallId }
  await expect(connectCall(by(world.ctx, keyOf('operator')), asked)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(by(world.ctx, keyOf('editor')), asked)).resolves.toMatchObject({ mode: 'oauth' })
})

test('who may answer an agent’s calls is who may connect the account that one asks for', async () => {
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
  const asked = { sessionId: session.id, toolCallId }
  await expect(connectCall(by(world.ctx, person('ed', 'editor')), asked)).rejects.toMatchObject({
    code: 'FORBIDDEN'
  })
  await expect(connectCall(world.ctx, asked)).resolves.toMatchObject({ mode: 'oauth' })
})

test('the workspace’s own is connected by an editor or an owner, also where a call asks for it', async () => {
  const world = await withAcme()
  const { config } = await getIntegration(world.ctx, { integration: 'acme' })
  await saveIntegration(world.ctx, { integration: 'acme', config: { ...config, sharing: 'workspace' } })
  const { session, call } = await askedBy(world, world.ctx.actor, 'eve')
  const asked = { sessionId: session.id, toolCallId: call.toolCallId }
  for (const actor of [eveIn(session.id), person('bob')])
    for (const again of [false, true])
      await expect(connectCall(by(world.ctx, actor), { ...asked, again })).rejects.toMatchObject({
        code: 'FORBIDDEN'
      })
  await expect(connectCall(world.ctx, asked)).resolves.toMatchObject({ mode: 'oauth' })
})
