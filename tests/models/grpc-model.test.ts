import { Code, ConnectError } from '@connectrpc/connect'
import { FinishReason } from '@waystation/plugin-host/generated/llm_pb.ts'
import { expect, test } from 'vitest'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

test('22 B4: a permanent error of a gRPC model is not retried, and a temporary one is', async () => {
  const faults: (Code | undefined)[] = []
  let attempts = 0
  const plugin = await serveTestPlugin({
    async *complete() {
      attempts += 1
      const code = faults.shift()
      if (code !== undefined) throw new ConnectError('no', code)
      yield { event: { case: 'delta', value: { content: 'Hello.' } } }
      yield { event: { case: 'finish', value: { reason: FinishReason.STOP } } }
    }
  })
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const retry = { maxAttempts: 2, initialDelaySeconds: 0, maxDelaySeconds: 0 }
  await server.saveAgent({ chat: { model: 'plugin:twin/small', toolSettings: { retry } } })
  const session = await server.startSession('test')
  for (const [code, problem] of [
    [Code.Unauthenticated, 'BAD_KEY'],
    [Code.PermissionDenied, 'BAD_KEY'],
    [Code.InvalidArgument, 'BAD_REQUEST'],
    [Code.NotFound, 'BAD_REQUEST'],
    [Code.Unimplemented, 'BAD_REQUEST']
  ] as const) {
    attempts = 0
    faults.push(code)
    expect(await session.runTurn('Hi.')).toMatchObject({
      outcome: 'failed',
      error: { code: problem, retryable: false }
    })
    expect(attempts).toBe(1)
  }
  for (const code of [Code.ResourceExhausted, Code.Unknown, Code.Unavailable]) {
    attempts = 0
    faults.push(code)
    expect(await session.runTurn('Hi.')).toMatchObject({ outcome: 'done' })
    expect(attempts).toBe(2)
  }
})
