import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { CallEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startExample } from '#tests/examples/start-example.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Starts a Waystation server and a Python program with this code, which is the external agent `office`. */
async function withProgram(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  copyFileSync('examples/external-tool/waystation_server.py', join(folder, 'waystation_server.py'))
  writeFileSync(join(folder, 'program.py'), code)
  const url = await serveApi()
  const server = await startTestServer({
    settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  const { ctx } = server
  const config = (inputUrl: string) =>
    AgentConfig.parse({ agentId: 'office', displayName: 'Office', type: 'external', external: { inputUrl } })
  const { revision } = await createAgent(ctx, config('http://127.0.0.1:1/'))
  const { secret } = await rotateAgentSecret(ctx, { agentId: 'office', overlapSeconds: 0 })
  const start = () => startExample('python3', [join(folder, 'program.py')], { AGENT_SECRET: secret })
  const program = await start()
  await updateAgent(ctx, { ...config(`${program.url}/agent`), revision })
  await createSession(ctx, { agentId: 'office', sessionId: 'order-1' })
  const session = await server.reopenSession('order-1')
  return {
    session,
    program,
    send: (text: string) => sendMessage(ctx, SendMessage.parse({ sessionId: 'order-1', text })),
    answer: (toolCallId: string, answer: Parameters<typeof answerCall>[1]['answer']) =>
      answerCall(ctx, { sessionId: 'order-1', toolCallId, answer }),
    replied: (text: string) =>
      session.waitForEvent(event => event.type === 'message' && textOf(event.message).includes(text))
  }
}

const [, documented = ''] =
  /^```python\n(.*?)^```$/ms.exec(readFileSync('docs/external-agents.md', 'utf8')) ?? []

test('the Python code of docs/external-agents.md asks for an approval and continues with the answer', async () => {
  const { session, send, answer, replied } = await withProgram(documented.replace('port=4001', 'port=0'))
  await send('Refund, please.')
  await replied('A person must approve this: Refund, please.')
  const { call } = await session.waitForEvent(event => event.type === 'call')
  await answer(call.toolCallId, { approved: true })
  await replied('Refunded: 4200')
})

const everything = `import os
from waystation_server import ExternalAgent, ServerError, cancel_call, serve, wait_for_call

def on_message(message, session):
    session.status("Working…", ttl_seconds=60)
    question = session.ask("Size", "Which size?", choices=["S", "L"], input_type="single-select")
    form = session.form("Address", {"type": "object", "properties": {"city": {"type": "string"}}}, deadline_seconds=3600)
    account = session.connect("Acme", "acme", key="account")
    try:
        session.connect("Another", "acme", key="account")
    except ServerError as error:
        code = error.code
    answered = wait_for_call(question)
    states = [cancel_call(one)["state"] for one in (form, account)]
    session.stream([str(answered["output"]["answer"]), " ", *states, " ", code])

agent = ExternalAgent(secret=os.environ["AGENT_SECRET"], on_message=on_message, confirm_after=0.2)
serve(agent, port=0)
`

test('all kinds of requests can be opened, awaited and canceled in Python, and replies can grow', async () => {
  const { session, send, answer } = await withProgram(everything)
  await send('Go.')
  const { call } = await session.waitForEvent(
    (event): event is CallEvent & SessionEvent =>
      event.type === 'call' && event.call.toolName === 'ask-question'
  )
  await answer(call.toolCallId, { output: { answer: 'L' } })
  await expect
    .poll(async () => (await session.get()).messages.map(textOf), { timeout: 30_000 })
    .toContain('L cancelledcancelled KEY_REUSED')
})

test('a program in Python refuses unsigned, malformed and wrong requests', async () => {
  const { program } = await withProgram(everything)
  const post = (init: RequestInit) => fetch(`${program.url}/agent`, { method: 'POST', ...init })
  expect((await post({ body: '{}' })).status).toBe(401)
  expect((await fetch(`${program.url}/agent`)).status).toBe(405)
  expect((await fetch(`${program.url}/other`)).status).toBe(404)
})
