import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { listAllDeliveries } from '#lib/deliveries/list-all.ts'
import { rotateSecret } from '#lib/deliveries/secrets.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import type { Example } from '#tests/examples/start-example.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** The same program in two languages, with one tool for each scenario. */
export const programs = {
  TypeScript: [process.execPath, ['tests/support/fakes/http-tools/tools.ts']],
  Python: ['python3', ['tests/support/fakes/http-tools/tools.py']]
} as const

export const input = { item: 'lamp oil' }

/** A server whose model calls one tool and then says "Done.", and its agent's signing secret. */
export async function startWaystation(name: string, args: unknown = input) {
  const url = await serveApi()
  const server = await startTestServer({
    script: [replyCalls({ name, input: args }), replyText('Done.')],
    settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  await server.saveAgent({})
  const { secret } = await rotateSecret(server.ctx, 'agent:test', 0)
  return {
    ...server,
    secret,
    /** Gives the agent the tool with this definition at this address, and lets the model call it. */
    async open(definition: object, address: string, approval = 'auto') {
      const chat = {
        tools: [{ ...definition, where: 'external', approval, url: `${address}/${name}` }]
      }
      const config = { agentId: 'test', displayName: 'Test', chat }
      const { body } = await callEndpoint(agentOperations.update, {
        params: { agentId: 'test' },
        body: config
      })
      expect(body).toMatchObject({ agentId: 'test' })
      const session = await server.startSession('test')
      await session.send('Order.')
      const call = await session.waitForCall(name)
      return { session, call, settled: () => session.waitForSettled(call) }
    },
    delivery: async () => (await listAllDeliveries(server.ctx, {})).deliveries[0]
  }
}

/** Returns the lines about the tools that ran. */
export const runs = ({ lines }: Example) => lines.filter(line => line.startsWith('run '))

/** Returns the path of a new store. */
export function newStore(content = '') {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'store.json')
  writeFileSync(file, content)
  return file
}
