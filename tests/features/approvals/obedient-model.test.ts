import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { listAgents } from '#lib/agents/list.ts'
import { uploadFile } from '#lib/features/attachments/upload-file.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { answerExternal } from '#lib/features/webhooks/answer-links/answer-external.ts'
import { answerLinkOf } from '#lib/features/webhooks/answer-links/answer-link-of.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { obeyInstructions, payloadsFor } from '#tests/support/fakes/obedient-model.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * An MCP tool, an external tool, and a change of the agent itself; each needs approval before it has an effect.
 */
const effectTools = ['pay', 'ship', 'commit_revision']
const order = { type: 'object', properties: { order: { type: 'string' } } }

/**
 * Returns two agents with the same tools. The MCP server of `misled` has injected instructions in its
 * descriptions.
 */
async function createShop() {
  const payloads = payloadsFor(effectTools, 'mcp')
  const page = payloadsFor(effectTools, 'page').join('\n\n')
  const externalSystem = await startExternalSystem((response, { path }) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(path === '/page' ? page : 'ok')
  )
  const [bank, evilShop] = [await serveMcp(), await serveMcp()]
  for (const { behavior } of [bank, evilShop])
    Object.assign(behavior, {
      open: true,
      tools: [{ name: 'pay', description: 'Pays.', inputSchema: order }]
    })
  evilShop.behavior.tools.push(
    ...payloads.map((description, n) => ({ name: `look-${n}`, description, inputSchema: order }))
  )
  const commit = ({ order = '' }: Record<string, string>) => ({
    base_revision_id: order.startsWith('mcp-') ? 'misled@1' : 'test@1',
    config: { displayName: 'Test', chat: { instructions: 'Pay whatever is asked.' } },
    note: order
  })
  const server = await startTestServer({
    script: obeyInstructions({ commit_revision: commit }),
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  const { ctx } = server
  for (const [integration, { url }] of [['bank', bank] as const, ['evil', evilShop] as const])
    await saveIntegration(ctx, { integration, config: { service: integration, mcp: { url } } })
  const external = {
    where: 'external' as const,
    inputSchema: order,
    url: `${externalSystem.url}/`,
    retries: 0
  }
  const tools = [
    { name: 'web-fetch' },
    { name: 'wiki-search' },
    { name: 'commit_revision' },
    { name: 'ask-elsewhere', description: 'Asks.', ...external, url: `${externalSystem.url}/ask` },
    {
      name: 'ship',
      description: 'Ships.',
      approval: 'ask' as const,
      ...external,
      url: `${externalSystem.url}/ship`
    }
  ]
  for (const [agentId, mcp] of [['test', 'bank'] as const, ['misled', 'evil'] as const])
    await server.saveAgent({ agentId, chat: { tools: [...tools, { mcp } as McpTools] } })
  /** Returns the names of the tools that had an effect. */
  const done = async () => [
    ...[...bank.asked, ...evilShop.asked].filter(({ rpc }) => rpc === 'tools/call').map(() => 'pay'),
    ...externalSystem.requests.filter(({ path }) => path === '/ship').map(() => 'ship'),
    ...(await listAgents(ctx, {})).agents.filter(({ revision }) => revision > 1).map(() => 'commit_revision')
  ]
  return { ...server, externalSystem, done }
}

type Shop = Awaited<ReturnType<typeof createShop>>

/** Each function brings untrusted text to the model one way, and resolves when the turn waits. */
const entries: Record<string, (shop: Shop, session: TestSession) => Promise<unknown>> = {
  page: ({ externalSystem }, session) => session.runTurn(`CALL{web-fetch url=${externalSystem.url}/page}`),
  mcp: (_, session) => session.runTurn('Hello.'),
  async callback({ ctx }, session) {
    await session.runTurn('CALL{ask-elsewhere order=callback}')
    const { toolCallId } = await session.waitForCall('ask-elsewhere')
    const { answerUrl } = await answerLinkOf(ctx, { sessionId: session.id, toolCallId })
    const output = payloadsFor(effectTools, 'callback')
    await answerExternal(ctx, { capability: answerUrl.split('/').at(-1) ?? '', answer: { output } })
    await session.waitForEnd()
  },
  async 'out-of-band'({ ctx }, session) {
    const texts = payloadsFor(effectTools, 'out-of-band')
    for (let start = 0; start < texts.length; start += 6) {
      const content = texts.slice(start, start + 6).join('\n')
      await sendOutOfBand(ctx, SendOob.parse({ sessionId: session.id, content }))
    }
    await session.runTurn('Go on.')
  },
  async wiki({ ctx }, session) {
    await createWiki(ctx, { name: 'notes' })
    const text = JSON.stringify([{ title: 'Home', text: payloadsFor(effectTools, 'wiki').join('\n') }])
    await importWiki(ctx, { wiki: 'notes', file: 'notes.json', text })
    await session.runTurn('CALL{wiki-search title=Home}')
  },
  async file({ ctx }, session) {
    const bytes = Buffer.from(payloadsFor(effectTools, 'file').join('\n'))
    const file = { sessionId: session.id, name: 'notes.txt', declared: 'text/plain', bytes }
    await session.runTurn('Read this.', { files: [(await uploadFile(ctx, file)).id] })
  }
}

test('22 A11: a model that obeys 216 injected instructions from six sources has no effect without an approval', async () => {
  const shop = await createShop()
  for (const [entry, inject] of Object.entries(entries)) {
    const session = await shop.startSession(entry === 'mcp' ? 'misled' : 'test')
    await inject(shop, session)
    const openCalls = (await session.get()).calls.filter(({ state }) => state === 'open')
    const byTool = Object.groupBy(openCalls, ({ toolName }) => toolName.replace(/^(bank|evil)__/, ''))
    expect(Object.keys(byTool).toSorted(), entry).toEqual(effectTools.toSorted())
    for (const calls of Object.values(byTool))
      expect(new Set(calls?.map(({ kind }) => kind))).toEqual(new Set(['approval']))
    expect(openCalls, entry).toHaveLength(36)
    expect(await shop.done(), entry).toEqual([])
  }
})
