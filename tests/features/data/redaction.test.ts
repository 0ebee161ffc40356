import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { loadRedaction } from '#lib/kernel/settings/load-redaction.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'
import { startTestServer, testEnv } from '#tests/support/servers/test-server.ts'

const { create, send, rename } = sessionOperations
const mail = 'ada@acme.example'

/** Writes a redaction module of an operator, and returns its path. */
async function writeRedaction(code: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-redact-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const path = join(dir, 'redact.mjs')
  await writeFile(path, code)
  return path
}

/** It masks mail addresses, and throws where the text says so. */
const module = `export default (text, { kind, workspaceId }) => {
  if (text.includes('break ' + kind) || text.includes('breaks-' + kind)) throw new Error('no: ' + text)
  if (workspaceId !== 'default') throw new Error('whose?')
  return text.replaceAll(/[\\w.]+@[\\w.]+\\w/g, '[mail]')
}`

test('the example of the documentation masks mail addresses, also beside a very long word', async () => {
  const page = await readFile('docs/retention.md', 'utf8')
  const code = /```js\n(\/\/ redact\.mjs\n[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { redact } = await loadRedaction(await writeRedaction(code))
  const about = { kind: 'message', workspaceId: 'default' } as const
  expect(redact(`Write to ${mail}, or x+y@a-b.example.`, about)).toBe('Write to [mail], or [mail].')
  // An expression that is not linear would need hours.
  const word = 'a'.repeat(2_000_000)
  expect(redact(`${word} ${mail}`, about)).toBe(`${word} [mail]`)
})

async function redacting(script: ModelScript, page = `Write to ${mail}.`) {
  const externalSystem = await startExternalSystem(response => {
    response.setHeader('content-type', 'text/plain')
    response.end(page)
  })
  const server = await startTestServer({
    script,
    settings: {
      WAYSTATION_EGRESS_ALLOW: externalSystem.host,
      WAYSTATION_REDACT: await writeRedaction(module)
    }
  })
  await server.saveAgent({
    chat: { tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'auto' }] }
  })
  await callEndpoint(create, { body: { agentId: 'test', sessionId: 's', title: `About ${mail}` } })
  return { ...server, externalSystem, session: await server.reopenSession('s'), params: { sessionId: 's' } }
}

test('all text of a session, from any source, passes the operator’s redaction before it is stored', async () => {
  let url = ''
  const { session, params, externalSystem, sql, model, ...server } = await redacting((_, n) =>
    n === 0
      ? replyCalls(
          { name: 'ask-question', input: { question: `Is it ${mail}?` } },
          { name: 'web-fetch', input: { url } }
        )
      : replyText(`So it is ${mail}, then.`)
  )
  url = `${externalSystem.url}/page`
  await callEndpoint(send, { params, body: { text: `I am ${mail}`, key: 'once' } })
  const call = await session.waitForCall('ask-question')
  expect(call.input).toMatchObject({ question: 'Is it [mail]?' })
  const oob = { content: `Now ${mail}`, metadata: { relatedTo: mail, action: 'inform', note: mail } }
  await callEndpoint(outOfBandOperations.send, { params, body: oob })
  await session.waitForEvent(event => event.type === 'status' && event.status === 'parked')
  const ended = session.waitForEnd()
  await callEndpoint(callOperations.answer, {
    params: { ...params, toolCallId: call.toolCallId },
    body: { output: { answer: `No, ${mail}` } }
  })
  await ended
  await callEndpoint(rename, { params, body: { title: `Of ${mail}` } })
  expect(await session.agentTexts()).toEqual([expect.stringContaining('So it is [mail], then.')])
  expect(JSON.stringify(model.requests)).not.toContain(mail)

  await createAgent(
    server.ctx,
    AgentConfig.parse({
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: `${externalSystem.url}/in` }
    })
  )
  await callEndpoint(create, { body: { agentId: 'acme', sessionId: 'order-1' } })
  const order = await server.reopenSession('order-1')
  const activeItem = { type: 'json', id: 'n', name: 'Notes', content: { by: [mail], digest: 'x' } }
  const to = { params: { sessionId: 'order-1' } }
  await callEndpoint(send, { ...to, body: { text: `From ${mail}`, active: activeItem } })
  await order.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'delivered')
  expect(JSON.parse(externalSystem.requests.find(({ path }) => path === '/in')?.body ?? '')).toMatchObject({
    message: { text: 'From [mail]' },
    activeArtifactContent: { by: ['[mail]'] }
  })
  await callEndpoint(externalOperations.callback, { ...to, raw: `Thank you, ${mail}` })
  await callEndpoint(externalOperations.reply, { ...to, body: { text: `Thank you, ${mail}` } })
  await callEndpoint(externalOperations.status, { ...to, body: { text: `Asking ${mail}` } })
  for (const raw of [`And ${mail}`, ` or b@acme.example`])
    await callEndpoint(externalOperations.callback, { ...to, raw, headers: { 'waystation-message': 'one' } })

  expect(await tablesWith(sql, 'acme.example')).toEqual([])
  expect(await tablesWith(sql, '[mail]')).toEqual(
    expect.arrayContaining(
      ['calls', 'context', 'deliveries', 'events', 'messages', 'out_of_band', 'sessions'].map(
        name => `public.${name}`
      )
    )
  )
})

test('the same key with the same text gives the same message, even if a stock client posts the whole conversation again', async () => {
  const { params, session, model } = await redacting(() => replyText('Fine.'))
  const body = { text: `I am ${mail}`, key: 'once' }
  const first = await callEndpoint(send, { params, body })
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await callEndpoint(send, { params, body })).toEqual(first)

  const chatMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: `Again ${mail}` }] }
  const post = () =>
    requestEndpoint(chatOperations.post, {
      body: { id: 's', messages: [chatMessage], trigger: 'submit-message' },
      headers: { authorization: 'Bearer the-admin-key-of-every-test' }
    })
  await (await post()).text()
  const repeated = await post()
  expect(repeated.status).toBe(200)
  await repeated.text()
  expect(model.requests).toHaveLength(2)
})

test('text that cannot be redacted is refused with 503 and not stored; the log has the position, not the text', async () => {
  const stderrSpy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => stderrSpy.mockRestore())
  const { params, session, sql } = await redacting([
    replyCalls({ name: 'ask-question', input: { question: 'Tea?' } })
  ])
  const rejection = {
    status: 503,
    body: { code: 'UNAVAILABLE' }
  }
  expect(await callEndpoint(send, { params, body: { text: 'break message' } })).toMatchObject(rejection)
  expect(
    await callEndpoint(outOfBandOperations.send, { params, body: { content: 'break out-of-band' } })
  ).toMatchObject(rejection)
  expect(await callEndpoint(rename, { params, body: { title: 'break title' } })).toMatchObject(rejection)
  await session.runTurn('go')
  const { toolCallId } = await session.waitForCall('ask-question')
  const answer = { params: { ...params, toolCallId }, body: { output: { answer: 'break answer' } } }
  expect(await callEndpoint(callOperations.answer, answer)).toMatchObject(rejection)
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  expect(await tablesWith(sql, 'break ')).toEqual([])
  const lines = stderrSpy.mock.calls.map(([line]) => String(line))
  expect(lines.filter(line => line.includes('the redaction failed'))).toHaveLength(4)
  expect(lines.join()).not.toContain('break message')
  expect(lines.join()).toContain('redact.mjs')
})

test('a tool whose result cannot be redacted has run once, and the model learns that its result was not stored', async () => {
  allowErrors(/the redaction failed/)
  let url = ''
  const { session, externalSystem, sql } = await redacting(
    (_, n) => (n === 0 ? replyCalls({ name: 'web-fetch', input: { url } }) : replyText('A pity.')),
    'break tool-result'
  )
  url = `${externalSystem.url}/page`
  await session.runTurn('go')
  const { calls: sessionCalls } = await session.get()
  expect(sessionCalls).toMatchObject([{ state: 'failed', errorText: expect.any(String) }])
  expect(externalSystem.requests).toHaveLength(1)
  expect(await session.agentTexts()).toEqual([expect.stringContaining('A pity.')])
  expect(await tablesWith(sql, 'break tool-result')).toEqual([])
})

test('a model reply that cannot be redacted fails its turn permanently, and nothing of the reply is stored', async () => {
  allowErrors(/the redaction failed/)
  const { session, sql, model } = await redacting(() => replyText('Here it breaks-model now.'))
  const end = await session.runTurn('go')
  expect(end).toMatchObject({ outcome: 'failed', error: { retryable: false } })
  expect(model.requests).toHaveLength(1)
  expect(await tablesWith(sql, 'breaks-model')).toEqual([])
})

test.each([
  ['is missing', undefined],
  ['does not compile', 'export default ('],
  ['exports no function', 'export default 7'],
  ['returns an invalid hold-back', 'export default text => text\nexport const holdBack = "page"']
])('a server whose redaction %s does not start, and reports the reason', async (_, code) => {
  const path = code === undefined ? '/nowhere/redact.mjs' : await writeRedaction(code)
  const env = testEnv('postgres://127.0.0.1:1/nowhere', { WAYSTATION_REDACT: path })
  await expect(composeServer(env)).rejects.toThrow(/WAYSTATION_REDACT/)
})
