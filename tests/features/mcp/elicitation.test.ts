import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@waystation/protocol/call/call.ts'
import { ElicitHint } from '@waystation/protocol/call/elicitation.ts'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { elicitingProgram } from '#tests/support/fakes/eliciting-program.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { packaged, programList } from '#tests/support/fakes/program-list.ts'
import { hasListed, serveEverything } from '#tests/support/fakes/serve-everything.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

/** Returns a session of an agent with this program among its tools. */
async function sessionWithProgram(
  program: object,
  {
    role = 'all',
    approval = 'auto',
    script
  }: { role?: 'all' | 'web'; approval?: 'auto' | 'ask'; script?: ModelScript } = {}
) {
  const settings = { WAYSTATION_MCP_STDIO: programList({ x: program }) }
  const server = await startTestServer({
    settings: { ...settings, WAYSTATION_ROLE: role },
    ...(script && { script })
  })
  const agentId = await server.saveAgent({ chat: { tools: [{ mcp: 'x', approval }] } })
  const session = await server.reopenSession((await createSession(server.ctx, { agentId })).sessionId)
  return { ...server, settings, session }
}

const hintOf = (call: Call | undefined) => ElicitHint.parse(call?.render)
const last = async (session: TestSession) => (await session.get()).calls.at(-1)
/** Waits until an open call asks this question, and returns the call. */
const waitForQuestion = async (session: TestSession, message: string): Promise<Call> => {
  const event = await session.waitForEvent(
    event => event.type === 'call' && event.call.state === 'open' && event.call.render?.message === message
  )
  return (event as { call: Call }).call
}
/** Waits until a call has run, and returns it. */
const waitForResult = async (session: TestSession): Promise<Call> => {
  const event = await session.waitForEvent(event => event.type === 'call' && event.call.ranAt !== undefined)
  return (event as { call: Call }).call
}
const answers = (session: TestSession, call: Call, output: unknown) =>
  session.answer(call, { output, question: hintOf(call).question })

const yesOrNo = `{ sure: { type: 'boolean' } }`

test.each(['streamableHttp', 'sse', 'stdio'] as const)(
  '001-19: the reference server asks a user during a call, and receives the answer (%s)',
  async transport => {
    const server =
      transport === 'stdio'
        ? await sessionWithProgram({ ...packaged('server-everything', 'stdio'), sandbox: false })
        : await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
    const { ctx, saveAgent, reopenSession } = server
    if (transport !== 'stdio') {
      const mcp = { url: await serveEverything(transport) }
      await saveIntegration(ctx, { integration: 'x', config: { service: 'Everything', mcp } })
      await hasListed(ctx, 'x')
    }
    const agentId = await saveAgent({ chat: { tools: [{ mcp: 'x', approval: 'auto' }] } })
    const session = await reopenSession((await createSession(ctx, { agentId })).sessionId)
    expect(await session.runTurn('use x__trigger-elicitation-request {}')).toMatchObject({
      outcome: 'parked'
    })
    const call = await waitForQuestion(session, 'Please provide inputs for the following fields:')
    expect(call).toMatchObject({
      kind: 'question',
      where: 'server',
      render: { kind: 'elicit', message: 'Please provide inputs for the following fields:' }
    })
    expect(Object.keys(hintOf(call).schema.properties as object)).toContain('titledMultipleSelectEnum')
    for (const invalidAnswer of [
      {},
      { name: 7 },
      { name: 'Ada', integer: 1000 },
      { name: 'Ada', email: 'none' }
    ])
      await expect(
        answers(session, call, invalidAnswer),
        JSON.stringify(invalidAnswer)
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT'
      })
    await answers(session, call, { name: 'Ada', check: true, integer: 7, sneaked: 'in' })
    const finishedCall = await waitForResult(session)
    expect(finishedCall).toMatchObject({ state: 'approved', output: expect.stringContaining('- Name: Ada') })
    expect(finishedCall.output).toContain('- Favorite Integer: 7')
    expect(finishedCall.output).not.toContain('sneaked')
  }
)

test('001-19: each question of a call waits for its own answer, and the call is repeated with all of them', async () => {
  const { session } = await sessionWithProgram(
    elicitingProgram(
      `const one = await form('Delete it?', ${yesOrNo})
       const two = await form('Really?', ${yesOrNo})
       return [one, two]`
    )
  )
  await session.runTurn('use x__go {}')
  const first = await waitForQuestion(session, 'Delete it?')
  await answers(session, first, { sure: true })
  const second = await waitForQuestion(session, 'Really?')
  expect(second.toolCallId).toBe(first.toolCallId)
  // Repeats the first answer after a lost response. It does not answer the second question.
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
  expect(JSON.parse(String((await waitForResult(session)).output))).toEqual([
    { action: 'accept', content: { sure: true } },
    { action: 'accept', content: { sure: false } }
  ])
})

test('001-19: the same question asked again in one call is a separate question', async () => {
  const { session } = await sessionWithProgram(
    elicitingProgram(`return [await form('Guess?', ${yesOrNo}), await form('Guess?', ${yesOrNo})]`)
  )
  await session.runTurn('use x__go {}')
  const first = await waitForQuestion(session, 'Guess?')
  await answers(session, first, { sure: true })
  const nextQuestion = await session.waitForEvent(
    event =>
      event.type === 'call' &&
      event.call.state === 'open' &&
      event.call.render?.message === 'Guess?' &&
      event.call.render.question !== hintOf(first).question
  )
  await answers(session, (nextQuestion as { call: Call }).call, { sure: false })
  expect(JSON.parse(String((await waitForResult(session)).output))).toMatchObject([
    { content: { sure: true } },
    { content: { sure: false } }
  ])
})

test('001-19: a declined question reaches the server as a no, and the server decides the call’s result', async () => {
  const { session } = await sessionWithProgram(elicitingProgram(`return form('May I?', ${yesOrNo})`))
  await session.runTurn('use x__go {}')
  const call = await waitForQuestion(session, 'May I?')
  await session.answer(call, { declined: true, reason: 'not today' })
  expect(await waitForResult(session)).toMatchObject({ output: '{"action":"decline"}', reason: 'not today' })
})

test('001-19: a question without an answer by its deadline: the call did not run, and is not repeated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asked-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'calls')
  appendFileSync(log, '')
  // If the tests run as root, programs run as the user `nobody`.
  chmodSync(folder, 0o755)
  chmodSync(log, 0o666)
  const { session, advanceTime } = await sessionWithProgram(
    elicitingProgram(
      `return form('May I?', ${yesOrNo})`,
      `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'x')`
    )
  )
  await session.runTurn('use x__go {}')
  const call = await waitForQuestion(session, 'May I?')
  const done = session.waitForEnd()
  await advanceTime(7 * 86_400)
  await done
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'expired',
    errorText: expect.any(String)
  })
  expect(readFileSync(log, 'utf8')).toBe('x')
})

test('001-19: a question outlives its worker: another worker repeats the call with the answer', async () => {
  const { session, settings, ...server } = await sessionWithProgram(
    elicitingProgram(`return { told: await form('Go on?', ${yesOrNo}), by: process.pid }`),
    { role: 'web' }
  )
  const first = await startWorkerProcess(server, settings)
  await session.send('use x__go {}')
  const call = await waitForQuestion(session, 'Go on?')
  await first.kill()
  await startWorkerProcess(server, settings)
  await answers(session, call, { sure: true })
  expect(JSON.parse(String((await waitForResult(session)).output)).told).toEqual({
    action: 'accept',
    content: { sure: true }
  })
})

test('001-19: a call that was approved with edited arguments asks, and is repeated with those arguments', async () => {
  const { session } = await sessionWithProgram(
    elicitingProgram(`return { told: await form('Sure?', ${yesOrNo}), of: params.arguments }`),
    { approval: 'ask' }
  )
  await session.runTurn('use x__go {"file":"a"}')
  await session.answer(await session.waitForCall('x__go'), { approved: true, input: { file: 'b' } })
  const call = await waitForQuestion(session, 'Sure?')
  await answers(session, call, { sure: true })
  expect(JSON.parse(String((await waitForResult(session)).output)).of).toEqual({ file: 'b' })
})

test('001-19: a server that keeps asking is stopped after twenty questions', async () => {
  const { session } = await sessionWithProgram(
    elicitingProgram(
      `const told = []
       for (let i = 1; i <= 50; i++) told.push((await form('Question ' + i, ${yesOrNo})).action)
       return told`
    )
  )
  await session.runTurn('use x__go {}')
  for (let nth = 1; nth <= 20; nth++)
    await answers(session, await waitForQuestion(session, `Question ${nth}`), { sure: true })
  await session.waitForEvent(event => event.type === 'call' && event.call.state === 'failed')
  expect((await last(session))?.errorText).toMatch(/\b20\b/)
})

test('001-19: questions that no form can show, or that open a browser, are not asked; the server receives the reason', async () => {
  const { session } = await sessionWithProgram(
    elicitingProgram(
      `const nested = await ask({ message: 'Deep?', requestedSchema: { type: 'object', properties: { a: { type: 'object', properties: {} } } } })
       const url = await ask({ mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e1' })
       return [nested, url].map(told => told.error?.code ?? told)`
    )
  )
  await session.runTurn('use x__go {}')
  expect(JSON.parse(String((await waitForResult(session)).output))).toEqual([-32603, -32602])
})

test('001-19: if two calls of one program ask at once, neither question can be assigned, and the program receives an error', async () => {
  const goCall = { name: 'x__go', input: {} }
  const { session } = await sessionWithProgram(
    elicitingProgram(
      `if (++globalThis.went < 2) await new Promise(resolve => { globalThis.both = resolve })
       else globalThis.both()
       return form('Whose?', ${yesOrNo})`,
      'globalThis.went ??= 0'
    ),
    { script: [replyCalls(goCall, goCall), replyText('Both were cancelled.')] }
  )
  await session.runTurn('go')
  const callList = (await session.get()).calls
  expect(callList.map(({ output }) => output)).toEqual(['{"action":"cancel"}', '{"action":"cancel"}'])
})

test('001-19: redacted parts of a question and its answer are not stored, and the answer still reaches its question', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redact-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const module = join(folder, 'redact.mjs')
  // It also masks names of fields and identifiers of questions.
  writeFileSync(module, "export default text => text.replaceAll(/secret|sure|[0-9a-f]{16}/g, 'hidden')")
  const program = elicitingProgram(`return form('Tell the secret?', { sure: { type: 'string' } })`)
  const settings = { WAYSTATION_MCP_STDIO: programList({ x: program }), WAYSTATION_REDACT: module }
  const { ctx, saveAgent, reopenSession, sql } = await startTestServer({ settings })
  const agentId = await saveAgent({ chat: { tools: [{ mcp: 'x', approval: 'auto' }] } })
  const session = await reopenSession((await createSession(ctx, { agentId })).sessionId)
  await session.runTurn('use x__go {}')
  const call = await waitForQuestion(session, 'Tell the hidden?')
  expect(hintOf(call).order).toEqual(['sure'])
  await answers(session, call, { sure: 'a secret' })
  expect((await waitForResult(session)).output).toBe('{"action":"accept","content":{"hidden":"a hidden"}}')
  expect(await sql`select from calls where elicited::text like '%a secret%'`).toEqual([])
})

test('001-19: an end user can see a question that they cannot answer, as the policy of its tool says', async () => {
  const settings = {
    WAYSTATION_MCP_STDIO: programList({ x: elicitingProgram(`return form('May I?', ${yesOrNo})`) })
  }
  const { ctx, actAs, saveAgent, reopenSession } = await startTestServer({ settings })
  const agentId = await saveAgent({
    chat: { tools: [{ mcp: 'x', approval: 'auto', answer: { roles: ['owner'] } }] }
  })
  const session = await reopenSession((await createSession(ctx, { agentId })).sessionId)
  await session.runTurn('use x__go {}')
  const call = await waitForQuestion(session, 'May I?')
  expect(call.answerers).toMatchObject({ roles: ['owner'] })
  const operator = {
    ...actAs('op'),
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
