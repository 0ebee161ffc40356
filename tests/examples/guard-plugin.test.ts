import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { supervise } from '#lib/plugins/grpc/supervise.ts'

const cwd = resolve('examples/plugins/guard-typescript')

/** The guard of the examples, started by this Node with these settings. */
function guard(config: Record<string, string>) {
  const plugin = supervise({
    name: 'guard',
    source: { kind: 'local', command: process.execPath, args: [join(cwd, 'guard.ts')], cwd },
    config,
    envVars: {}
  })
  onTestFinished(plugin.stop)
  return plugin
}

test('003-15: the guard of the examples hides secrets in what is said and in what tools were called with, and leaves the rest as it was', async () => {
  const plugin = guard({ secrets: 'sk-[a-z]{4,}' })
  await expect.poll(() => plugin.state).toEqual({ kind: 'serving' })
  const ask = (messages: object[]) =>
    plugin.calls().onEvent({
      type: 'LLM_REQUEST',
      agentName: 'a',
      payload: { model: 'm', messages, tools: [] }
    })
  const call = { id: 'sk-stays', name: 'echo', arguments_json: '{"key":"sk-abcd","n":1}' }
  const messages = [
    { role: 'user', content: 'sk-abcd and sk-efgh' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'user', content: 'It is sk-abcd.', tool_call_id: 'sk-stays' }
  ]
  expect(await ask(messages)).toEqual({
    action: 'modify',
    payload: {
      model: 'm',
      tools: [],
      messages: [
        { role: 'user', content: '[secret] and [secret]' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ ...call, arguments_json: '{"key":"[secret]","n":1}' }]
        },
        { role: 'user', content: 'It is [secret].', tool_call_id: 'sk-stays' }
      ]
    }
  })
  expect(await ask([{ role: 'user', content: 'Nothing here.' }])).toEqual({ action: 'continue' })
})

test('003-2: the guard of the examples says of a setting that is no pattern what is wrong with it, and does not serve', async () => {
  const plugin = guard({ secrets: 'sk-(' })
  await expect
    .poll(() => JSON.stringify(plugin.state))
    .toMatch(/“secrets” is no pattern: .*Unterminated group/)
})
