import { expect, onTestFinished, test, vi } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { withTools } from '#tests/support/fakes/mcp-shop.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startWithPlugins } from '#tests/support/servers/server-with-plugins.ts'

/** Records the timeouts of tool calls from now on, and returns a function that lists them in seconds. */
function recordTimeouts(): () => number[] {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  return () => timeout.mock.calls.map(([milliseconds]) => milliseconds / 1000)
}

test('22 B4: a tool of a gRPC plugin has 60 seconds, or more if its workspace or agent says so', async () => {
  const tallyCall = replyCalls({ name: 'tally', input: { text: 'a' } })
  const { session, ctx } = await startWithPlugins({ guard: { hook: () => undefined } }, [
    tallyCall,
    replyText('a'),
    tallyCall,
    replyText('b')
  ])
  const first = recordTimeouts()
  await session.runTurn('Go.')
  expect(first()).toContain(60)
  expect(first()).not.toContain(30)
  await updateWorkspace(ctx, { toolSettings: { timeoutSeconds: 90 } })
  await session.runTurn('Go.')
  expect(first()).toContain(90)
})

test('22 B4: a tool of an MCP server has 60 seconds', async () => {
  const { session } = await withTools({}, { open: true })
  const timeouts = recordTimeouts()
  await session.runTurn('use shop__echo {"text":"one"}')
  expect(timeouts()).toContain(60)
  expect(timeouts()).not.toContain(30)
})
