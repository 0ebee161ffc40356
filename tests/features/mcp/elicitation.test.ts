import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import { ElicitHint } from '#lib/protocol/call/elicitation.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { programThatAsks } from '#tests/support/fakes/asking-program.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { packaged, programList } from '#tests/support/fakes/program-list.ts'
import { hasListed, serveEverything } from '#tests/support/fakes/serve-everything.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

/** A session of an agent with this program among its tools. */
async function withProgram(
  program: object,
  {
    role = 'all',
    approval = 'auto',
    script
  }: { role?: 'all' | 'web'; approval?: 'auto' | 'ask'; script?: ModelScript } = {}
) {
  const settings = { WAYSTATION_MCP_STDIO: programList({ x: program }) }
  const world = await testWorld({
    settings: { ...settings, WAYSTATION_ROLE: role },
    ...(script && { script })
  })
  const agentId = await world.agent({ chat: { tools: [{ mcp: 'x', approval }] } })
  const session = await world.reopen((await createSession(world.ctx, { agentId })).sessionId)
  return { ...world, settings, session }
}

const hintOf = (call: Call | undefined) => ElicitHint.parse(call?.render)
const last = async (session: TestSession) => (await session.get()).calls.at(-1)
/** The `nth` question that the session's newest call asks. */
const asks = async (session: TestSession, message: string): Promise<Call> => {
  const event = await session.sees(
    event => event.type === 'call' && event.call.state === 'open' && event.call.render?.message === message
  )
  return (event as { call: Call }).call
}
/** The newest call, once it has run. */
const ran = async (session: TestSession): Promise<Call> => {
  const event = await session.sees(event => event.type === 'call' && event.call.ranAt !== undefined)
  return (event as { call: Call }).call
}
const answers = (session: TestSession, call: Call, output: unknown) =>
  session.answer(call, { output, question: hintOf(call).question })

const yesOrNo = `{ sure: { type: 'boolean' } }`

test.each(['streamableHttp', 'sse', 'stdio'] as const)(
  '001-19: the reference server asks a person in the middle of a call, and is told what they say (%s)',
  async transport => {
    const world =
      transport === 'stdio'
        ? await withProgram({ ...packaged('server-everything', 'stdio'), sandbox: false })
        : await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
    const { ctx, agent, reopen } = world
    if (transport !== 'stdio') {
      const mcp = { url: await serveEverything(transport) }
      await saveIntegration(ctx, { integration: 'x', config: { service: 'Everything', mcp } })
      await hasListed(ctx, 'x')
    }
    const agentId = await agent({ chat: { tools: [{ mcp: 'x', approval: 'auto' }] } })
    const session = await reopen((await createSession(ctx, { agentId })).sessionId)
    expect(await session.says('use x__trigger-elicitation-request {}')).toMatchObject({ outcome: 'parked' })
    const call = await asks(session, 'Please provide inputs for the following fields:')
    expect(call).toMatchObject({
      kind: 'question',
      where: 'server',
      render: { kind: 'elicit', message: 'Please provide inputs for the following fields:' }
    })
    expect(Object.keys(hintOf(call).schema.properties as object)).toContain('titledMultipleSelectEnum')
    for (const misfit of [{}, { name: 7 }, { name: 'Ada', integer: 1000 }, { name: 'Ada', email: 'none' }])
      await expect(answers(session, call, misfit), JSON.stringify(misfit)).rejects.toMatchObject({
        code: 'INVALID_INPUT'
      })
    await answers(session, call, { name: 'Ada', check: true, integer: 7, sneaked: 'in' })
    const settled = await ran(session)
    expect(settled).toMatchObject({ state: 'approved', output: expect.stringContaining('- Name: Ada') })
    expect(settled.output).toContain('- Favorite Integer: 7')
    expect(settled.output).not.toContain('sneaked')
  }
)

test('001-19: each question of a call waits for its own answer, and the call is made again with all of them', async () => {
  const { session } = await withProgram(
    programThatAsks(
      `const one = await form('Delete it?', ${yesOrNo})
       const two = await form('Really?', ${yesOrNo})
       return [one, two]`
    )
  )
  await session.says('use x__go {}')
  const first = await asks(session, 'Delete it?')
  await answers(session, first, { sure: true })
  const second = await asks(session, 'Really?')
  expect(second.toolCallId).toBe(first.toolCallId)
  // The first answer again, after a lost reply: it is no answer to the second question.
  expect(await answers(session, first, { sure: true })).toMatchObject({ state: 'approved' })
  await expect(answers(session, first, { sure: false })).rejects.toMatchObject({ code: 'ALREADY_SETTLED' })
  await expect(session.answer(second, { output: { sure: true } })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  await expect(session.answer(second, { output: { sure: true }, question: 'another' })).rejects.toMatchObject(
    { code: 'INVALID_INPUT' }
  )
  expect((await last(session))?.state).toBe('open')
  await answers(session, second, { sure: false })
  expect(JSON.parse(String((await ran(session)).output))).toEqual([
    { action: 'accept', content: { sure: true } },
    { action: 'accept', content: { sure: false } }
  ])
})

test('001-19: the same question asked again in one call is another question', async () => {
  const { session } = await withProgram(
    programThatAsks(`return [await form('Guess?', ${yesOrNo}), await form('Guess?', ${yesOrNo})]`)
  )
  await session.says('use x__go {}')
  const first = await asks(session, 'Guess?')
  await answers(session, first, { sure: true })
  const again = await session.sees(
    event =>
      event.type === 'call' &&
      event.call.state === 'open' &&
      event.call.render?.message === 'Guess?' &&
      event.call.render.question !== hintOf(first).question
  )
  await answers(session, (again as { call: Call }).call, { sure: false })
  expect(JSON.parse(String((await ran(session)).output))).toMatchObject([
    { content: { sure: true } },
    { content: { sure: false } }
  ])
})

test('001-19: who declines is heard by the server as no; what it makes of that is the call’s result', async () => {
  const { session } = await withProgram(programThatAsks(`return form('May I?', ${yesOrNo})`))
  await session.says('use x__go {}')
  const call = await asks(session, 'May I?')
  await session.answer(call, { declined: true, reason: 'not today' })
  expect(await ran(session)).toMatchObject({ output: '{"action":"decline"}', reason: 'not today' })
})

test('001-19: a question that nobody answers by its deadline: the call did not run, and is not made again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asked-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'calls')
  appendFileSync(log, '')
  // Where the tests are root, programs are nobody.
  chmodSync(folder, 0o755)
  chmodSync(log, 0o666)
  const { session, pass } = await withProgram(
    programThatAsks(
      `return form('May I?', ${yesOrNo})`,
      `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'x')`
    )
  )
  await session.says('use x__go {}')
  const call = await asks(session, 'May I?')
  const done = session.ends()
  await pass(7 * 86_400)
  await done
  expect(await session.settles(call)).toMatchObject({
    state: 'expired',
    errorText: expect.any(String)
  })
  expect(readFileSync(log, 'utf8')).toBe('x')
})

test('001-19: a question outlives its worker: another one makes the call again and tells the answer', async () => {
  const { session, settings, ...world } = await withProgram(
    programThatAsks(`return { told: await form('Go on?', ${yesOrNo}), by: process.pid }`),
    { role: 'web' }
  )
  const first = await startWorkerProcess(world, settings)
  await session.send('use x__go {}')
  const call = await asks(session, 'Go on?')
  await first.kill()
  await startWorkerProcess(world, settings)
  await answers(session, call, { sure: true })
  expect(JSON.parse(String((await ran(session)).output)).told).toEqual({
    action: 'accept',
    content: { sure: true }
  })
})

test('001-19: a call that was approved with other arguments asks, and runs again with those', async () => {
  const { session } = await withProgram(
    programThatAsks(`return { told: await form('Sure?', ${yesOrNo}), of: params.arguments }`),
    { approval: 'ask' }
  )
  await session.says('use x__go {"file":"a"}')
  await session.answer(await session.waitsFor('x__go'), { approved: true, input: { file: 'b' } })
  const call = await asks(session, 'Sure?')
  await answers(session, call, { sure: true })
  expect(JSON.parse(String((await ran(session)).output)).of).toEqual({ file: 'b' })
})

test('001-19: a server that does not stop to ask is ended after twenty questions', async () => {
  const { session } = await withProgram(
    programThatAsks(
      `const told = []
       for (let i = 1; i <= 50; i++) told.push((await form('Question ' + i, ${yesOrNo})).action)
       return told`
    )
  )
  await session.says('use x__go {}')
  for (let nth = 1; nth <= 20; nth++)
    await answers(session, await asks(session, `Question ${nth}`), { sure: true })
  await session.sees(event => event.type === 'call' && event.call.state === 'failed')
  expect((await last(session))?.errorText).toMatch(/\b20\b/)
})

test('001-19: questions that no form can show, or that would open a browser, are not asked; the server hears why', async () => {
  const { session } = await withProgram(
    programThatAsks(
      `const nested = await ask({ message: 'Deep?', requestedSchema: { type: 'object', properties: { a: { type: 'object', properties: {} } } } })
       const url = await ask({ mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e1' })
       return [nested, url].map(told => told.error?.code ?? told)`
    )
  )
  await session.says('use x__go {}')
  expect(JSON.parse(String((await ran(session)).output))).toEqual([-32603, -32602])
})

test('001-19: two calls of one program that ask at once: nobody can tell whose question it is, and it is told so', async () => {
  const twice = { name: 'x__go', input: {} }
  const { session } = await withProgram(
    programThatAsks(
      `if (++globalThis.went < 2) await new Promise(resolve => { globalThis.both = resolve })
       else globalThis.both()
       return form('Whose?', ${yesOrNo})`,
      'globalThis.went ??= 0'
    ),
    { script: [calls(twice, twice), says('Both were cancelled.')] }
  )
  await session.says('go')
  const made = (await session.get()).calls
  expect(made.map(({ output }) => output)).toEqual(['{"action":"cancel"}', '{"action":"cancel"}'])
})

test('001-19: what is redacted of a question and its answer is not stored, and both still find each other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redact-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const module = join(folder, 'redact.mjs')
  // It takes names of fields and of questions for secrets, too.
  writeFileSync(module, "export default text => text.replaceAll(/secret|sure|[0-9a-f]{16}/g, 'hidden')")
  const program = programThatAsks(`return form('Tell the secret?', { sure: { type: 'string' } })`)
  const settings = { WAYSTATION_MCP_STDIO: programList({ x: program }), WAYSTATION_REDACT: module }
  const { ctx, agent, reopen, sql } = await testWorld({ settings })
  const agentId = await agent({ chat: { tools: [{ mcp: 'x', approval: 'auto' }] } })
  const session = await reopen((await createSession(ctx, { agentId })).sessionId)
  await session.says('use x__go {}')
  const call = await asks(session, 'Tell the hidden?')
  expect(hintOf(call).order).toEqual(['sure'])
  await answers(session, call, { sure: 'a secret' })
  expect((await ran(session)).output).toBe('{"action":"accept","content":{"hidden":"a hidden"}}')
  expect(await sql`select from calls where elicited::text like '%a secret%'`).toEqual([])
})

test('001-19: a question that an end user may not answer is theirs to see, not to answer, as its tool says', async () => {
  const settings = {
    WAYSTATION_MCP_STDIO: programList({ x: programThatAsks(`return form('May I?', ${yesOrNo})`) })
  }
  const { ctx, as, agent, reopen } = await testWorld({ settings })
  const agentId = await agent({
    chat: { tools: [{ mcp: 'x', approval: 'auto', answer: { roles: ['owner'] } }] }
  })
  const session = await reopen((await createSession(ctx, { agentId })).sessionId)
  await session.says('use x__go {}')
  const call = await asks(session, 'May I?')
  expect(call.answerers).toMatchObject({ roles: ['owner'] })
  const operator = {
    ...as('op'),
    actor: {
      kind: 'key' as const,
      name: 'op',
      id: 'key_op',
      role: 'operator' as const,
      workspaceId: ctx.workspaceId
    }
  }
  await expect(
    session.answer(call, { output: { sure: true }, question: hintOf(call).question }, operator as never)
  ).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
