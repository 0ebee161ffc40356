import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

const run = promisify(execFile)

/** Returns the code blocks of a page in this language. */
async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(page, 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code]) => code ?? ''
  )
}

/** Creates a folder with the files, next to a link to this checkout. It is deleted when the test ends. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'waystation-docs-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  await symlink(resolve('.'), join(parent, 'waystation'))
  await mkdir(join(parent, 'tools'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(parent, 'tools', name), text)
  return join(parent, 'tools')
}

test('003-19: the tools of docs/tools.md start, and agents have them as the page says', async () => {
  const [status = '', pick = '', ...others] = await blocksOf('docs/tools.md', 'ts')
  expect(others).toEqual([])
  const folder = await folderWith({ 'order-status.ts': status, 'pick-file.ts': pick })
  const shop = await startExternalSystem((response, { path }) => {
    response.statusCode = path === '/orders/A-17' ? 200 : 404
    response.end(JSON.stringify({ status: 'sent', secret: 1 }))
  })
  const server = await startServer({
    WAYSTATION_TOOLS: folder,
    SHOP_URL: shop.url,
    WAYSTATION_EGRESS_ALLOW: shop.host
  })
  onTestFinished(() => server.stop())
  const api = createApiClient(server)
  const [config = ''] = await blocksOf('docs/tools.md', 'json')
  const { chat } = JSON.parse(config)
  await api.post('/agents', { agentId: 'shop', displayName: 'Shop', chat: { instructions: '', ...chat } })
  await api.create('shop', 'shop')
  await api.post('/sessions/shop/messages', {
    text: 'use order-status {"orderId": "A-17"}\nthen\nuse order-status {"orderId": "B-1"}'
  })
  const { calls } = await api.until('shop', 'idle')
  expect(calls).toMatchObject([
    { output: { status: 'sent' } },
    { state: 'failed', errorText: 'There is no order B-1.' }
  ])
  expect(JSON.stringify(calls)).not.toContain('secret')
})

test('003-19: the tsconfig.json of docs/tools.md finds the types without an installation', async () => {
  const tools = [
    ...(await blocksOf('docs/tools.md', 'ts')),
    ...(await blocksOf('README.md', 'ts')).filter(code => code.includes('defineTool')),
    await readFile('examples/tools/refund-order.ts', 'utf8')
  ]
  const tsconfig = (await blocksOf('docs/tools.md', 'json')).find(text => text.includes('compilerOptions'))
  const files = Object.fromEntries(tools.map((code, index) => [`tool-${index}.ts`, code]))
  const cwd = await folderWith({ ...files, 'tsconfig.json': tsconfig ?? '' })
  const tsc = () => run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', cwd], { cwd })
  await tsc()
  await writeFile(join(cwd, 'tool-0.ts'), tools[0]?.replace('orderId }', 'id }') ?? '')
  await expect(tsc()).rejects.toMatchObject({ stdout: expect.stringContaining("'id' does not exist") })
})
