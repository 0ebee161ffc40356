import { join, resolve } from 'node:path'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'

const cwd = resolve('examples/plugins/guard-typescript')

/** Starts the guard example with this Node and this config. */
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

test('003-15: the guard example hides secrets in message texts and tool arguments, and changes nothing else', async () => {
  const plugin = guard({ secrets: 'sk-[a-z]{4,}' })
  await expect.poll(() => plugin.state).toEqual({ kind: 'serving' })
  const sendMessages = (messages: object[]) =>
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
  expect(await sendMessages(messages)).toEqual({
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
  expect(await sendMessages([{ role: 'user', content: 'Nothing here.' }])).toEqual({ action: 'continue' })
})

test('003-2: the guard example reports what is wrong with an invalid pattern, and does not serve', async () => {
  const plugin = guard({ secrets: 'sk-(' })
  await expect
    .poll(() => JSON.stringify(plugin.state))
    .toMatch(/“secrets” is not a regular expression: .*Unterminated group/)
})
