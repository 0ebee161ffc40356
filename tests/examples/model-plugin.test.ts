import { join, resolve } from 'node:path'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'
import {
  replyCalls,
  replyError,
  replyText,
  replyThenCut,
  replyThenEnd,
  replyThenError,
  replyThenHold,
  replyThenInvalidJson
} from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'

const cwd = resolve('examples/plugins/model-typescript')

/** Starts the model example with this Node, in front of a server with OpenAI's API. */
async function model(
  script: ModelScript,
  config: Record<string, string> = {},
  envVars: Record<string, string> = {}
) {
  const server = await startOpenAIServer({ script })
  const plugin = supervise({
    name: 'model',
    source: { kind: 'local', command: process.execPath, args: [join(cwd, 'model.ts')], cwd },
    config: { base_url: server.url, ...config },
    envVars
  })
  onTestFinished(async () => {
    await plugin.stop()
    await server.close()
  })
  const ask = (signal?: AbortSignal) => {
    const messages = [{ role: 'user' as const, content: 'Hello.' }]
    return plugin.calls().complete({ model: 'small', messages, tools: [] }, { signal })
  }
  return { there: server, plugin, ask }
}

const serves = (plugin: { state: object }) => expect.poll(() => plugin.state).toEqual({ kind: 'serving' })

test('003-11: the model example passes on text unchanged, calls in parts, the usage, and last the finish reason', async () => {
  const { plugin, ask } = await model([
    replyText('A stream ends with [DONE] there.'),
    replyCalls({ name: 'echo', input: { text: 'hi' }, id: 'call_a' }),
    replyText('Cut sh', { finish: 'length' })
  ])
  await serves(plugin)
  const usage = { type: 'usage', inputTokens: 20, outputTokens: 10 }
  const parts = await Array.fromAsync(ask())
  expect(parts.map(part => (part.type === 'text' ? part.text : '')).join('')).toBe(
    'A stream ends with [DONE] there.'
  )
  expect(parts.slice(-2)).toEqual([usage, { type: 'finish', reason: 'stop' }])
  const callParts = (await Array.fromAsync(ask())).filter(part => part.type === 'tool-call')
  expect(callParts.map(({ name }) => name)).toEqual(['echo', undefined, undefined])
  expect(new Set(callParts.map(({ id }) => id))).toEqual(new Set(['call_a']))
  expect(JSON.parse(callParts.map(({ chunk }) => chunk).join(''))).toEqual({ text: 'hi' })
  expect((await Array.fromAsync(ask())).at(-1)).toEqual({ type: 'finish', reason: 'max-tokens' })
})

test('003-11: a truncated, broken or rejected model response is an error of the model example, and never a complete response', async () => {
  const replies = [
    [replyThenCut('Half a'), 'failed', /terminated/],
    [replyThenEnd('Half a'), 'failed', /ended in the middle/],
    [replyThenInvalidJson('Half a'), 'failed', /is not JSON/],
    [replyThenError('Half a'), 'failed', /The server had an error/],
    [replyError(429, { message: 'Later.' }), 'busy', /answered 429/],
    [replyError(401, { message: 'Who?' }), 'unauthorized', /answered 401/],
    [
      replyError(404, { message: 'There is no model small.' }),
      'refused',
      /answered 404: .*There is no model small/
    ]
  ] as const
  const { there: server, plugin, ask } = await model(replies.map(([reply]) => reply))
  await serves(plugin)
  for (const [, reason, pattern] of replies) {
    const failure = await Array.fromAsync(ask()).catch((error: object) => error)
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(pattern) })
  }
  await server.close()
  const failure = await Array.fromAsync(ask()).catch((error: object) => error)
  expect(failure).toMatchObject({ reason: 'failed', message: expect.stringMatching(/ECONNREFUSED/) })
  expect(plugin.state).toEqual({ kind: 'serving' })
})

test("003-11: stopping a turn cancels the model example's request", async () => {
  const { there: server, plugin, ask } = await model([replyThenHold('One moment')])
  await serves(plugin)
  const stop = new AbortController()
  const failure = (async () => {
    for await (const part of ask(stop.signal)) if (part.type === 'text') stop.abort()
  })().catch((error: object) => error)
  expect(await failure).toMatchObject({ reason: 'stopped' })
  const request = await server.request(0)
  expect(await request.ended).toBe('disconnected')
})

test('003-2: the model example reads its key from the variable that its settings name, and does not register without it', async () => {
  const config = { api_key_env: 'MODEL_KEY' }
  const { there: server, plugin, ask } = await model([replyText('Hello.')], config, { MODEL_KEY: 'k-1' })
  await serves(plugin)
  await Array.fromAsync(ask())
  expect(server.requests[0]?.headers.authorization).toBe('Bearer k-1')
  for (const [settings, why] of [
    [config, /There is no variable MODEL_KEY/],
    [{ base_url: 'nowhere' }, /“nowhere” is not an address/]
  ] as const) {
    const other = await model([], settings)
    await expect.poll(() => JSON.stringify(other.plugin.state)).toMatch(why)
  }
})
