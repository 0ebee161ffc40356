import { createConnection } from 'node:net'
import type { Conversation, ConversationEvent } from '@waystation/plugin-host/contract.ts'
import { servePlatform } from '@waystation/plugin-host/serve-platform.ts'
import { expect, onTestFinished, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

const protos = pythonProtos()

/** Starts a platform for one plugin, and the plugin, which calls it with the tool `converse`. */
async function serving({ run }: { run?: (conversation: Conversation) => AsyncIterable<ConversationEvent> }) {
  const received: Conversation[] = []
  const platform = await servePlatform({
    workspaceId: 'w1',
    token: 'right',
    listen: { host: '127.0.0.1', port: 0 },
    run: conversation => {
      received.push(conversation)
      return (run ?? defaultRun)(conversation)
    }
  })
  onTestFinished(platform.close)
  const address = `127.0.0.1:${platform.port}`
  const probe = superviseProbe(protos, { platform: { address, token: 'right' } })
  await probe.waitForState('serving')
  const converse = (args: object) =>
    probe.plugin.calls().executeTool({ name: 'converse', args: { workspace: 'w1', input: 'Hi', ...args } })
  return { ...probe, platform, received, converse }
}

async function* defaultRun(): AsyncGenerator<ConversationEvent> {
  yield { type: 'content', agent: 'triage', content: 'Let me see.' }
  yield { type: 'tool_call', agent: 'triage', tool: 'echo', args: '{}' }
  yield { type: 'tool_result', agent: 'triage', tool: 'echo', result: '{"a":1}', isError: false }
  yield { type: 'handoff', agent: 'triage', target: 'expert' }
  yield { type: 'finish', agent: 'expert' }
}

withPython.describe('the platform for a plugin in Python', () => {
  test('003-17: runs a conversation with earlier messages and streams its events', async () => {
    const { converse, received } = await serving({})
    expect(await converse({ token: 'right' })).toEqual({
      ok: true,
      result: [
        ['content', 'triage', 'Let me see.', '', ''],
        ['tool_call', 'triage', '', 'echo', ''],
        ['tool_result', 'triage', '', 'echo', '{"a":1}'],
        ['handoff', 'triage', '', '', ''],
        ['finish', 'expert', '', '', '']
      ]
    })
    expect(received).toMatchObject([{ input: 'Hi', history: [{ role: 'user', content: 'Hello' }] }])
  })

  test('003-17: rejects a foreign token, no token, another workspace and an empty input', async () => {
    const { converse, received } = await serving({})
    for (const [args, code] of [
      [{ token: null }, 'UNAUTHENTICATED'],
      [{ token: 'wrong' }, 'UNAUTHENTICATED'],
      [{ token: 'right', workspace: 'w2' }, 'PERMISSION_DENIED'],
      [{ token: 'right', input: ' ' }, 'INVALID_ARGUMENT'],
      [{ token: 'right', input: 'x'.repeat(300_000) }, 'INVALID_ARGUMENT'],
      [{ token: 'right', input: 'x'.repeat(5_000_000) }, 'RESOURCE_EXHAUSTED']
    ] as const)
      expect(await converse(args), code).toMatchObject({ ok: true, result: { said: [], code } })
    expect(received).toEqual([])
  })

  test('22 A8: a local plugin has its token for the platform in its environment', async () => {
    const { converse } = await serving({})
    expect(await converse({})).toMatchObject({
      ok: true,
      result: expect.arrayContaining([['finish', 'expert', '', '', '']])
    })
  })

  test('003-17: a conversation stops when the plugin leaves it or dies', async () => {
    const run = async function* ({ signal }: Conversation): AsyncGenerator<ConversationEvent> {
      yield { type: 'content', agent: 'a', content: 'begun' }
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    }
    const { converse, received, plugin } = await serving({ run })
    await converse({ token: 'right', leave_after: 1 })
    await expect.poll(() => received[0]?.signal.aborted).toBe(true)
    const second = converse({ token: 'right' })
    await expect.poll(() => received.length).toBe(2)
    process.kill(plugin.pid as number, 'SIGKILL')
    await expect.poll(() => received[1]?.signal.aborted).toBe(true)
    expect(await second).toMatchObject({ ok: false })
  })

  test('003-17: a failed conversation ends with an error that has no details', async () => {
    allowErrors(/a plugin conversation failed/)
    const run = async function* (): AsyncGenerator<ConversationEvent> {
      yield { type: 'content', agent: 'a', content: 'begun' }
      throw new Error('password: hunter2')
    }
    const { converse } = await serving({ run })
    expect(await converse({ token: 'right' })).toEqual({
      ok: true,
      result: [
        ['content', 'a', 'begun', '', ''],
        ['error', '', '', '', '']
      ]
    })
  })

  test('a plugin can have eight conversations at once', async () => {
    const run = async function* ({ signal }: Conversation): AsyncGenerator<ConversationEvent> {
      yield { type: 'content', agent: 'a', content: 'begun' }
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    }
    const { converse, received, plugin } = await serving({ run })
    const conversations = Array.from({ length: 8 }, () => converse({ token: 'right' }))
    await expect.poll(() => received.length).toBe(8)
    expect(await converse({ token: 'right' })).toMatchObject({ result: { code: 'RESOURCE_EXHAUSTED' } })
    process.kill(plugin.pid as number, 'SIGKILL')
    await Promise.all(conversations)
  })

  test('a client that does not use gRPC does no harm', async () => {
    const { converse, platform } = await serving({})
    const socket = createConnection(platform.port, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.resume()
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    socket.write(Buffer.alloc(100_000, 0x5a))
    await expect.poll(() => socket.destroyed).toBe(true)
    expect(await converse({ token: 'right' })).toMatchObject({ ok: true })
  })
})
