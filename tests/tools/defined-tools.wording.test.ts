import { expect, test } from 'vitest'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import { loadTools } from '#lib/tools/defined/load-tools.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { autoTool, toolModule } from '#tests/support/fakes/defined-tool.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const builtIn = new Map([['web-fetch', { name: 'web-fetch' } as Tool]])
const named = (name: string) => toolModule(`name: '${name}', execute: () => 1`)
const notTool = 'contains a.mjs, whose default export is not a tool: '

test.each<[modules: Record<string, string>, sentence: string]>([
  [{ 'a.mjs': 'export const a = 1' }, `${notTool}it must be an object of defineTool`],
  [{ 'a.mjs': named('a b') }, `${notTool}name can have only letters, digits, - and _, and up to 64 of them`],
  [
    { 'a.mjs': named(acknowledge.name) },
    `${notTool}name is reserved for a tool of the server. Use another name`
  ],
  [{ 'a.mjs': toolModule(`name: 'a'`) }, `${notTool}execute must be a function that returns the result`],
  [
    { 'a.mjs': toolModule(`name: 'a', aproval: 'auto', execute: () => 1`) },
    `${notTool}aproval is not a field of a server tool`
  ],
  [
    { 'a.mjs': toolModule(`name: 'a', where: 'browser', execute: () => 1`) },
    `${notTool}execute is not a field of a browser tool`
  ],
  [
    { 'a.mjs': toolModule(`name: 'a', where: 'external'`) },
    `${notTool}where must be server or browser. For an external service, add an external tool to the agent. To ask people, use ask-question`
  ],
  [
    { 'a.mjs': toolModule(`name: 'a', inputSchema: z.string(), execute: () => 1`) },
    `${notTool}inputSchema must be an object, such as z.object({…})`
  ],
  [
    { 'a.mjs': toolModule(`name: 'a', inputSchema: 1, execute: () => 1`) },
    `${notTool}inputSchema must be a schema of zod 4`
  ],
  [
    { 'a.mjs': toolModule(`name: 'a', inputSchema: z.object({ a: z.date() }), execute: () => 1`) },
    `${notTool}inputSchema cannot be written as JSON Schema: Date cannot be represented in JSON Schema`
  ],
  [
    { 'a.mjs': named('web-fetch') },
    'contains a.mjs, whose tool has the name of the built-in tool "web-fetch". Use another name.'
  ],
  [
    { 'a.mjs': named('a'), 'b.mjs': named('a') },
    'contains two tools named "a". The first one is in a.mjs, the second one in b.mjs.'
  ]
])('the error about a wrong tool says where it is and what to change: %j', async (modules, sentence) => {
  await expect(loadTools(await pluginFolder(modules), builtIn, [])).rejects.toThrow(
    `WAYSTATION_TOOLS ${sentence}`
  )
})

test('the model reads what is wrong with the result of a tool', async () => {
  const tools: [execute: string, sentence: string, more?: string][] = [
    [`() => { throw Object.create(null) }`, 'The tool failed without a message.'],
    [`() => { throw new Error(' ') }`, 'The tool failed without a message.'],
    [
      `() => ({ n: 1n })`,
      'The tool returned a result that is not JSON: Do not know how to serialize a BigInt'
    ],
    [`() => () => 1`, 'The tool returned a function, which is not JSON.'],
    [
      `() => JSON.parse('['.repeat(150) + ']'.repeat(150))`,
      'The tool returned a result that is nested more than 100 levels deep.'
    ],
    [`() => 'x'.repeat(1_000_001)`, 'The result has 1000003 characters. The limit is 1000000.'],
    [
      `() => ({ left: 'many' })`,
      'The tool returned a wrong result: left: expected number, received string',
      'outputSchema: z.object({ left: z.number() }),'
    ]
  ]
  const modules = tools.map(([execute, , more], n) => [`${n}.mjs`, autoTool(`tool-${n}`, execute, more)])
  const server = await startTestServer({
    settings: { WAYSTATION_TOOLS: await pluginFolder(Object.fromEntries(modules)) }
  })
  await server.saveAgent({ chat: { tools: tools.map((_, n) => ({ name: `tool-${n}` })) } })
  const session = await server.startSession('test')
  await session.runTurn(tools.map((_, n) => `use tool-${n} {}`).join('\n'))
  const { calls } = await session.get()
  const texts = Object.fromEntries(calls.map(({ toolName, errorText }) => [toolName, errorText]))
  expect(texts).toEqual(Object.fromEntries(tools.map(([, sentence], n) => [`tool-${n}`, sentence])))
})
