import { expect, test } from 'vitest'
import { modelOperations } from '#lib/http/operations/models.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { type ProtocolName, protocols, redirectFetch } from './protocols.ts'
import { replay } from './replay-server.ts'
import { brokenRules } from './request-rules.ts'

/** The reasoning and signatures that only the provider of a step can receive. */
const own: Record<string, string[]> = {
  'openai-responses': ['thought GPT', 'openai-encrypted-reasoning'],
  'openai-chat': ['thought DeepSeek'],
  anthropic: ['thought Claude', 'anthropic/signature', 'anthropic/redacted'],
  google: ['thought Gemini', 'google/signature/first+call'],
  bedrock: ['thought Bedrock', 'bedrock/signature', 'bedrock/redacted'],
  mistral: ['thought Mistral'],
  cohere: ['thought Cohere']
}
/** Cohere’s package sends no reasoning back. */
const sendsBack = (name: string) => (name === 'cohere' ? [] : (own[name] ?? []))
const families = Object.keys(own)
const pairs = families.flatMap(from => families.flatMap(to => (from === to ? [] : [[from, to] as const])))

const lookup = {
  name: 'lookup',
  where: 'external' as const,
  description: 'Looks up a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  url: 'https://acme.example/cities'
}

/** Starts a server with two providers, which answer with these fixtures. */
async function startServers(fixtures: Record<string, string[]>) {
  const servers: Record<string, Awaited<ReturnType<typeof replay>>> = {}
  const urls: Record<string, string> = {}
  const settings: Record<string, string> = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  for (const [name, scenarios] of Object.entries(fixtures)) {
    const protocol: { host?: string; settings: (url: string) => Record<string, string> } =
      protocols[name as ProtocolName]
    const server = await replay(scenarios.map(scenario => `${name}/${scenario}`))
    servers[name] = server
    if (protocol.host === undefined) continue
    urls[protocol.host] = server.url
    Object.assign(settings, protocol.settings(server.url))
  }
  redirectFetch(urls)
  const server = await startTestServer({ settings })
  // `openai` can be OpenAI or another server, so the other one is a provider of the workspace.
  const values = { baseUrl: servers['openai-chat']?.url ?? '' }
  if (values.baseUrl !== '')
    await callEndpoint(modelOperations.save, {
      params: { name: 'ours' },
      body: { kind: 'openai-compatible', values }
    })
  const use = (name: string) =>
    server.saveAgent({
      chat: {
        model: name === 'openai-chat' ? 'ours/test-model' : protocols[name as ProtocolName].model,
        tools: [lookup]
      }
    })
  return { ...server, use, servers }
}

/** Expects that a provider accepts each of its requests, and that none contains what belongs to another provider. */
function expectAccepted(name: string, bodies: readonly unknown[]) {
  for (const [n, body] of bodies.entries()) {
    expect(brokenRules(name, body), `${name}, request ${n}: ${JSON.stringify(body, null, 1)}`).toEqual([])
    const foreign = families.filter(family => family !== name).flatMap(family => own[family]!)
    const text = JSON.stringify(body)
    expect(foreign.filter(secret => text.includes(secret))).toEqual([])
  }
}

test.each(pairs)('%s to %s and back, with an open call: both accept the history', async (from, to) => {
  const { use, startSession, servers } = await startServers({
    [from]: ['signed-calls', 'text'],
    [to]: ['signed-calls', 'text', 'text']
  })
  await use(from)
  const session = await startSession('test')
  expect(await session.runTurn('Compare Tromsø and Bergen')).toMatchObject({ outcome: 'parked' })
  const [answered, open] = (await session.get()).calls
  await session.answer(answered!, { output: { degrees: 4 } })

  await use(to)
  expect(await session.runTurn('And now?')).toMatchObject({ outcome: 'parked' })
  const { calls } = await session.get()
  const ended = session.waitForEnd()
  for (const call of calls.slice(2)) await session.answer(call, { output: { degrees: 7 } })
  await ended
  const done = session.waitForEnd()
  await session.answer(open!, { output: { degrees: 9 } })
  expect(await done).toMatchObject({ outcome: 'done' })

  await use(from)
  expect(await session.runTurn('Thanks')).toMatchObject({ outcome: 'done' })
  expectAccepted(to, servers[to]!.bodies)
  expectAccepted(from, servers[from]!.bodies)
  const [back, there] = [servers[from]!.bodies.at(-1), servers[to]!.bodies.at(-1)].map(body =>
    JSON.stringify(body)
  )
  for (const secret of sendsBack(from)) expect(back).toContain(secret)
  for (const secret of sendsBack(to)) expect(there).toContain(secret)
})
