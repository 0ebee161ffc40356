import { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { requestConnection } from '#lib/agents/catalogue/request-connection.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const connectTool = {
  '@ag.embed': {
    '@ag.references': { workflow: { slug: '__ag__request_connection' } },
    '@ag.selector': { path: 'parameters.tool' }
  },
  name: 'request_connection'
}
const embedOf = (agentId: string, path: string, extra: object = {}) => ({
  '@ag.embed': { '@ag.references': { agent: { slug: agentId, ...extra } }, '@ag.selector': { path } }
})
const save = (agentId: string, chat: object) =>
  callEndpoint(agentOperations.create, { body: { agentId, displayName: agentId, chat } })
const change = (agentId: string, chat: object) =>
  callEndpoint(agentOperations.update, { params: { agentId }, body: { agentId, displayName: agentId, chat } })

test('002-7: an embedded reference tool is a call that the browser fulfils, and its answer continues the run', async () => {
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'request_connection', input: { integration: 'github' } }),
      replyText('Connected.')
    ]
  })
  expect(await save('office', { tools: [connectTool] })).toMatchObject({
    status: 201,
    body: { chat: { tools: [connectTool] } }
  })
  const session = await server.startSession('office')
  expect(await session.runTurn('look at my issues')).toMatchObject({ status: 'parked' })
  const call = await session.waitForCall('request_connection')
  expect(call).toMatchObject({ kind: 'connection', onDeadline: 'not-connected', render: { kind: 'connect' } })
  expect(Date.parse(call.deadline) - Date.parse(call.since)).toBe(15 * 60_000)
  // 002-6: the field is the same in the catalogue and on the wire.
  expect(call.where).toBe(requestConnection.where)
  const [openedCall] = server.model.requests
  expect(openedCall?.body.tools).toMatchObject([{ function: { name: 'request_connection' } }])
  expect(JSON.stringify(openedCall?.body)).not.toContain('@ag.')

  const ended = session.waitForEnd()
  await session.answer(call, { declined: true })
  await ended
  expect(await session.waitForSettled(call)).toMatchObject({
    output: { connected: false, integration: 'github', slug: 'github', reason: 'declined' }
  })
})

test('002-5: a page that cannot show an embedded tool fails the call, and the run continues with the error', async () => {
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'request_connection', input: { integration: 'github' } }),
      replyText('Then without it.')
    ]
  })
  await save('office', { tools: [connectTool] })
  const session = await server.startSession('office')
  await session.runTurn('look at my issues')
  const call = await session.waitForCall('request_connection')
  const ended = session.waitForEnd()
  await session.answer(call, { error: 'This app cannot handle request_connection.' })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
  expect(JSON.stringify(server.model.requests[1]?.body.messages)).toContain('This app cannot handle')
  await expect(session.answer(call, { declined: true })).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
})

test('002-7: skills and embeds in the instructions are text when the model reads them', async () => {
  const server = await startTestServer({ script: [replyText('Fine.')] })
  const embed = {
    '@ag.references': { workflow: { slug: '__ag__connect_first' } },
    '@ag.selector': { path: 'parameters' }
  }
  await save('office', {
    instructions: 'Be brief. @{{workflow.slug=__ag__edit_config, path:parameters.text}}',
    skills: [{ '@ag.embed': embed, name: 'Connect first' }]
  })
  const session = await server.startSession('office')
  await session.runTurn('hello')
  const prompt = JSON.stringify(server.model.requests[0]?.body.messages)
  expect(prompt).toMatch(/Be brief\. You can propose.*## Connect first.*Some tasks need the user/)
  expect(prompt).not.toContain('@{{')
  // Only the resolved text, which the model reads, is counted.
  const counted = async () =>
    (await getContext(server.ctx, { sessionId: session.id })).instructionsTokens ?? 0
  const tokens = await counted()
  await change('office', { instructions: 'Be brief.' })
  expect(tokens - (await counted())).toBeGreaterThan(300)
})

test('a tool of another agent of the workspace can be embedded, in its current version or in that of a revision', async () => {
  const server = await startTestServer({
    script: request =>
      JSON.stringify(request.body.tools).includes('second') ? replyText('Second.') : replyText('First.')
  })
  const dispatch = (description: string) => ({
    name: 'dispatch',
    where: 'external',
    description,
    inputSchema: { type: 'object' },
    url: 'https://acme.example/orders'
  })
  await save('library', { tools: [dispatch('the first')] })
  await save('now', { tools: [embedOf('library', 'chat.tools.0')] })
  await save('then', { tools: [embedOf('library', 'chat.tools.0', { revision: 1 })] })
  await change('library', { tools: [dispatch('the second')] })
  const reply = async (agentId: string) => {
    const session = await server.startSession(agentId)
    await session.runTurn('hello')
    return session.agentTexts()
  }
  expect(await reply('now')).toEqual(['Second.'])
  expect(await reply('then')).toEqual(['First.'])
})

test('an agent of another workspace is unknown to every embed', async () => {
  const { actAs, sql } = await startTestServer()
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'a secret of it')`
  await save('library', { instructions: 'Ours.' })
  for (const revision of ['', ', agent.revision=1']) {
    const instructions = `@{{agent.slug=library${revision}, path:chat.instructions}}`
    const chat = ChatConfig.parse({ instructions })
    expect(await resolveAgent(actAs('Ann'), chat)).toMatchObject({ instructions: 'Ours.' })
    await expect(resolveAgent(actAs('Mallory', 'other'), chat)).rejects.toMatchObject({
      kind: 'UnknownReference'
    })
  }
})

test('a configuration with a broken embed is not saved: 422 names its field and the reason', async () => {
  await startTestServer()
  const tools = [
    { name: 'web-fetch' },
    { ...connectTool, '@ag.embed': { '@ag.references': { workflow: { slug: 'none' } } } }
  ]
  const rejection = {
    status: 422,
    body: {
      code: 'INVALID_INPUT',
      fields: { 'chat.tools.1': expect.stringContaining('none') }
    }
  }
  expect(await save('office', { tools })).toMatchObject(rejection)
  await save('office', {})
  expect(await change('office', { tools })).toMatchObject(rejection)

  const brokenEmbeds: [object, string][] = [
    [{ instructions: 'See @{{workflow.slug=__ag__build_kit}}' }, 'chat.instructions'],
    [{ instructions: 'See @ag.embed[oops' }, 'chat.instructions'],
    [{ instructions: '@{{workflow.slug=__ag__request_connection}}' }, 'chat.instructions'],
    [{ tools: [embedOf('office', 'chat.limits')] }, 'chat.tools.0'],
    [{ tools: [embedOf('office', 'chat.model')], skills: [] }, 'chat.tools.0'],
    [{ skills: [embedOf('office', 'chat.limits')] }, 'chat.skills.0']
  ]
  for (const [chat, field] of brokenEmbeds)
    expect(await change('office', chat)).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
    })
  const invalidTool = { '@ag.embed': { '@ag.references': { workflow: { slug: 'a' }, agent: { slug: 'b' } } } }
  expect(await change('office', { tools: [invalidTool] })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT' }
  })
})

test('a change that would close a circle is refused, in any of its agents', async () => {
  await startTestServer()
  const embedInstructions = (agentId: string) => ({
    instructions: `@{{agent.slug=${agentId}, path:chat.instructions}}`
  })
  await save('b', { instructions: 'B.' })
  expect(await save('a', embedInstructions('b'))).toMatchObject({ status: 201 })
  expect(await change('b', embedInstructions('a'))).toMatchObject({
    status: 422,
    body: {
      error: expect.stringContaining(
        'agent a#chat.instructions → agent b#chat.instructions → agent a#chat.instructions'
      )
    }
  })
  expect(await save('self', embedInstructions('self'))).toMatchObject({ status: 422 })
  // An embed of an earlier revision closes no circle, because revisions never change.
  const earlierRevision = { instructions: 'And @{{agent.slug=b, agent.revision=1, path:chat.instructions}}' }
  expect(await change('b', earlierRevision)).toMatchObject({ status: 200 })
})

test('a broken embed fails the turn with an error that names it, and once it is fixed the next turn works', async () => {
  const server = await startTestServer({ script: () => replyText('Fine.') })
  await save('library', { tools: [{ name: 'web-fetch' }] })
  await save('office', { tools: [embedOf('library', 'chat.tools.0')] })
  await change('library', { tools: [] })
  const session = await server.startSession('office')
  const { outcome, error } = await session.runTurn('hello')
  expect({ outcome, error }).toMatchObject({
    outcome: 'failed',
    error: {
      message: expect.stringContaining('"chat.tools.0"'),
      retryable: false
    }
  })
  await change('library', { tools: [{ name: 'web-fetch' }] })
  expect(await session.runTurn('again')).toMatchObject({ outcome: 'done' })
})

test('a configuration without an embed resolves to the same object, without a query', async () => {
  const chat = ChatConfig.parse({
    instructions: 'Write @{{name}} and mail a@b.example.',
    tools: [
      { name: 'web-fetch' },
      {
        name: 'dispatch',
        where: 'external',
        description: 'Says @ag.embed[ and @{{workflow.slug=x}}, and means nothing by it.',
        inputSchema: { type: 'object' },
        url: 'https://acme.example'
      }
    ]
  })
  const unusableCtx = new Proxy({} as Ctx, {
    get: () => {
      throw new Error('It asked.')
    }
  })
  expect(await resolveAgent(unusableCtx, { ...chat, instructions: 'Be brief.' })).toMatchObject({
    tools: chat.tools
  })
  const plainChat = { ...chat, instructions: 'Be brief.' }
  expect(await resolveAgent(unusableCtx, plainChat)).toBe(plainChat)
  expect(await resolveAgent(unusableCtx, chat)).toEqual({ ...chat })
})
