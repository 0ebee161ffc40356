import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { protocolOf, redirectFetch } from './protocols.ts'
import { replay } from './replay-server.ts'
import { brokenRules } from './request-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests of several protocols
type Json = any

/** The reasoning of `signed-calls`, as each provider must receive it again. */
const reasoning: Record<string, Json[]> = {
  anthropic: [
    {
      type: 'thinking',
      thinking: 'Two cities to check, thought Claude.',
      signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds+anthropic/signature=='
    },
    { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix+anthropic/redacted/LafPsn4a==' }
  ],
  bedrock: [
    {
      reasoningContent: {
        reasoningText: {
          text: 'Two cities to check, thought Bedrock.',
          signature: 'EqoBCkgIBhABGAIiQL2UoU0bedrock/signature=='
        }
      }
    },
    { reasoningContent: { redactedContent: 'ErgCCkgbedrock/redacted==' } }
  ],
  google: [
    { text: 'Two cities to check, thought Gemini.', thought: true },
    { text: 'Let me look.' },
    {
      functionCall: { id: expect.any(String), name: 'lookup', args: { city: 'Tromsø' } },
      thoughtSignature: 'CpIBAVSoXO7google/signature/first+call=='
    }
  ],
  'openai-responses': [
    {
      type: 'reasoning',
      id: 'rs_6806bfca0b2481918a5748308061a2600d3ce51bdffd5476',
      encrypted_content: 'gAAAAABo-openai-encrypted-reasoning==',
      summary: [{ type: 'summary_text', text: 'Two cities to check, thought GPT.' }]
    }
  ]
}

/** Returns what the agent said, as the request contains it. */
const saidIn = ({ messages, contents, input }: Json): Json[] =>
  (messages ?? contents ?? input)
    .filter(({ role, type }: Json) => role === 'assistant' || role === 'model' || type === 'reasoning')
    .flatMap(({ content, parts, ...item }: Json) => content ?? parts ?? [item])

const lookup = {
  name: 'lookup',
  where: 'external' as const,
  description: 'Looks up a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  url: 'https://acme.example/cities',
  deadlineSeconds: 7 * 24 * 3600
}

/** Starts a session whose model has reasoned and made two calls. */
async function parked(protocol: string, scenarios: string[], settings: Record<string, string> = {}) {
  const { model, host = '', settings: of } = protocolOf(protocol)
  const provider = await replay(scenarios.map(scenario => `${protocol}/${scenario}`))
  redirectFetch({ [host]: provider.url })
  const server = await startTestServer({ settings: { ...of(provider.url), ...settings } })
  await server.saveAgent({ chat: { model, tools: [lookup], handoffs: ['other'] } })
  await server.saveAgent({
    agentId: 'other',
    chat: { model, tools: [lookup], handoffs: ['test'], instructions: 'Be someone else.' }
  })
  const session = await server.startSession('test')
  expect(await session.runTurn('Compare Tromsø and Bergen')).toMatchObject({ outcome: 'parked' })
  return { ...server, provider, session }
}

function expectReasoning(protocol: string, bodies: Json[]) {
  for (const body of bodies) {
    expect(saidIn(body)).toEqual(expect.arrayContaining(reasoning[protocol]!))
    expect(brokenRules(protocol, body)).toEqual([])
  }
}

describe.each(Object.keys(reasoning))('%s receives its reasoning and signatures again', protocol => {
  test('after days, and from another process', async () => {
    const { session, provider, ...server } = await parked(protocol, ['signed-calls', 'text'])
    await server.advanceTime(3 * 24 * 3600)
    await server.stopServer()
    const { ctx } = await server.startSecondServer()
    const reopened = await server.reopenSession(session.id, ctx)
    const ended = reopened.waitForEnd()
    for (const call of (await reopened.get()).calls) await reopened.answer(call, { output: 4 }, ctx)
    expect(await ended).toMatchObject({ outcome: 'done' })
    expectReasoning(protocol, provider.bodies.slice(1))
  })

  test('after a handoff to another agent, and back', async () => {
    const scenarios = ['signed-calls', 'text', 'text', 'text']
    const { ctx, session, provider } = await parked(protocol, scenarios)
    const ended = session.waitForEnd()
    for (const call of (await session.get()).calls) await session.answer(call, { output: 4 })
    expect(await ended).toMatchObject({ outcome: 'done' })
    for (const agentId of ['other', 'test']) {
      await handOffSession(ctx, { sessionId: session.id, agentId })
      expect(await session.runTurn('Again?')).toMatchObject({ outcome: 'done' })
    }
    expect(provider.bodies).toHaveLength(4)
    expectReasoning(protocol, provider.bodies.slice(1))
  })
})

test('thinking whose text Claude keeps to itself is sent again with its signature', async () => {
  const { session, provider } = await parked('anthropic', ['omitted-thinking', 'text'])
  const ended = session.waitForEnd()
  for (const call of (await session.get()).calls) await session.answer(call, { output: 4 })
  await ended
  const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds+anthropic/signature=='
  expect(saidIn(provider.bodies[1])[0]).toEqual({ type: 'thinking', thinking: '', signature })
})

test('thinking that the operator’s redaction changed is not sent with its signature', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-redact-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'redact.mjs')
  await writeFile(path, "export default text => text.replaceAll('Claude', '[name]')")
  const scenarios = ['signed-calls', 'text']
  const { session, provider } = await parked('anthropic', scenarios, { WAYSTATION_REDACT: path })
  const ended = session.waitForEnd()
  for (const call of (await session.get()).calls) await session.answer(call, { output: 4 })
  await ended
  const body = provider.bodies[1]
  expect(JSON.stringify(body)).not.toMatch(/Claude|\[name\]|anthropic\/signature/)
  expect(saidIn(body)[0]).toEqual(reasoning.anthropic![1])
  expect(brokenRules('anthropic', body)).toEqual([])
})
