import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

/** A tool in TypeScript whose folder has no packages. It imports a file of a subfolder. */
const refund = `
  import { defineTool } from '@waystation/tools'
  import { z } from 'zod'
  import { round } from './own/round.ts'
  const Amount: z.ZodNumber = z.number()
  export default defineTool({
    name: 'refund', description: 'Refunds.', inputSchema: z.object({ amount: Amount }),
    execute: async ({ amount }, { sessionId }) => ({ refunded: round(amount), sessionId, pid: process.pid })
  })`

/** A tool that leaves errors behind, and answers. */
const careless = `
  import { defineTool } from '@waystation/tools'
  import { EventEmitter } from 'node:events'
  import { z } from 'zod'
  setTimeout(() => { throw new Error('left by the file') })
  export default defineTool({
    name: 'careless', description: 'Leaves errors.', approval: 'auto', timeout: 1, inputSchema: z.object({ hang: z.boolean().default(false) }),
    execute({ hang }, { signal }) {
      setTimeout(() => { throw new Error('left in a timer') })
      void Promise.reject(new Error('left in a promise'))
      setImmediate(() => new EventEmitter().emit('error', new Error('left in an event')))
      signal.addEventListener('abort', () => { throw new Error('left in a listener') })
      return hang ? new Promise<string>(() => {}) : 'fine'
    }
  })`

async function start(modules: Record<string, string>, settings: Record<string, string> = {}) {
  const folder = await pluginFolder(modules)
  await mkdir(join(folder, 'own'))
  await writeFile(
    join(folder, 'own', 'round.ts'),
    'export const round = (n: number): number => Math.round(n)'
  )
  const server = await startServer({ WAYSTATION_TOOLS: folder, ...settings })
  onTestFinished(() => server.stop())
  return { server, folder, api: createApiClient(server) }
}

/** Starts a process that serves the API, and a worker that runs the turns. Both have the same folder. */
async function startTwo(modules: Record<string, string>, settings: Record<string, string> = {}) {
  const { url: DATABASE_URL } = await createDatabase()
  const shared = {
    DATABASE_URL,
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    ...settings
  }
  const web = await start(modules, { ...shared, WAYSTATION_ROLE: 'web' })
  const worker = await startServer({ ...shared, WAYSTATION_TOOLS: web.folder, WAYSTATION_ROLE: 'worker' })
  onTestFinished(() => worker.stop())
  return { ...web, worker }
}

type Api = ReturnType<typeof createApiClient>

/** Creates an agent with these tools, and a session of it with the same ID. */
async function openSession(api: Api, id: string, tools: string[]) {
  await api.post('/agents', {
    agentId: id,
    displayName: id,
    chat: { instructions: '', tools: tools.map(name => ({ name })) }
  })
  await api.create(id, id)
}

test('003-19: a tool in TypeScript runs without installed packages, in each process that has the folder, after an approval in another', async () => {
  const { api, server, worker } = await startTwo({ 'refund.ts': refund })
  expect((await api.get('/tools')).tools).toContainEqual({
    name: 'refund',
    description: 'Refunds.',
    where: 'server',
    approval: 'ask',
    source: 'refund.ts'
  })
  await openSession(api, 'shop', ['refund'])
  await api.post('/sessions/shop/messages', { text: 'use refund {"amount": 11.6}' })
  const { session } = await api.until('shop', 'parked')
  const [call] = session?.waitingFor ?? []
  expect(call).toMatchObject({ toolName: 'refund' })
  await api.post(`/sessions/shop/calls/${call?.toolCallId}/answer`, { approved: true })
  const done = await api.until('shop', 'idle')
  expect(done.calls).toMatchObject([
    { state: 'approved', output: { refunded: 12, sessionId: 'shop', pid: worker.process.pid } }
  ])
  expect(server.process.pid).not.toBe(worker.process.pid)
}, 120_000)

test.each(['all', 'worker'])(
  '003-19: in a process with the role %s, errors that a tool leaves behind are logged with its name, and the process continues',
  async role => {
    allowErrors(/left (by|in) /)
    const modules = { 'careless.ts': careless }
    const { api, server } = role === 'all' ? await start(modules) : await withWorker(await startTwo(modules))
    let log = ''
    server.process.stderr?.on('data', text => {
      log += text
    })
    await openSession(api, 'a', ['careless'])
    await api.post('/sessions/a/messages', { text: 'use careless {}\nthen\nuse careless {"hang": true}' })
    const { calls } = await api.until('a', 'idle')
    expect(calls).toMatchObject([{ output: 'fine' }, { state: 'failed' }])
    for (const place of ['a timer', 'a promise', 'an event', 'a listener'])
      await expect.poll(() => log).toMatch(new RegExp(`"sessionId":"a".*"tool":"careless".*left in ${place}`))
    expect(server.process.exitCode).toBe(null)
  },
  120_000
)

const withWorker = async ({ worker, ...web }: Awaited<ReturnType<typeof startTwo>>) => ({
  ...web,
  server: worker
})

test.each(['setTimeout(() => { throw error })', 'Promise.reject(error)'])(
  'an error that does not belong to a tool still ends a worker: %s',
  async bug => {
    const plugins = await pluginFolder({
      'p.mjs': `const error = new Error('own bug')
      export default { name: 'p', hooks: () => ({ onMessage() { ${bug} } }) }`
    })
    const { api, worker } = await startTwo({}, { WAYSTATION_PLUGINS: plugins })
    await api.post('/agents', {
      agentId: 'a',
      displayName: 'a',
      chat: { instructions: '', plugins: [{ name: 'p' }] }
    })
    await api.create('a', 'a')
    await api.post('/sessions/a/messages', { text: 'hi' })
    expect(await worker.exited).toBe(1)
  },
  120_000
)

test('003-19: a server does not start with a wrong file that a tool imports, and names its line', async () => {
  const folder = await pluginFolder({ 'refund.ts': refund })
  await mkdir(join(folder, 'own'))
  await writeFile(join(folder, 'own', 'round.ts'), '\nexport enum Round { up }')
  await expect(startServer({ WAYSTATION_TOOLS: folder })).rejects.toThrow(/refund\.ts.*own\/round\.ts:2/)
})
