/**
 * A program with one HTTP tool for each scenario of `http-tools.test.ts`. `tools.py` is the same program
 * in Python. Both print `run <name> <toolCallId>` when a tool runs, and write calls to the file STORE if it
 * is set. A write takes STORE_MS.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  answer,
  type StoredCall,
  type ToolContext,
  ToolError,
  type ToolHandler,
  type ToolStore,
  tool
} from '@waystation/server'
import { nodeListener } from '@waystation/server/node'
import { z } from 'zod'

const { PORT, SECRETS = '', STORE, STORE_MS = '0', CONFIRM_MS, SLOW_MS = '0' } = process.env

const stored: Record<string, StoredCall> = STORE ? JSON.parse(readFileSync(STORE, 'utf8') || '{}') : {}
const store: ToolStore = {
  get: async id => stored[id],
  async set(id, value) {
    await pause(Number(STORE_MS))
    stored[id] = value
    if (!STORE) return
    // A kill during the write leaves the previous file intact.
    writeFileSync(`${STORE}.new`, JSON.stringify(stored))
    renameSync(`${STORE}.new`, STORE)
  }
}

const inputSchema = z.object({ item: z.string(), count: z.int().default(1) })
const outputSchema = z.looseObject({ eta: z.string() })
type Input = z.infer<typeof inputSchema>

const make = (name: string, execute: (input: Input, context: ToolContext) => unknown) =>
  tool({
    name,
    title: 'Store',
    description: 'Orders from the store.',
    inputSchema,
    outputSchema: outputSchema as z.ZodType<unknown>,
    approval: 'ask',
    secret: SECRETS === 'false' ? false : SECRETS.split(' '),
    ...(STORE ? { store } : {}),
    ...(CONFIRM_MS ? { confirmAfterMs: Number(CONFIRM_MS) } : {}),
    onError: error => console.log(`error ${error instanceof Error ? error.message : error}`),
    execute(input, context) {
      console.log(`run ${name} ${context.toolCallId}`)
      return execute(input, context)
    }
  })

const circular: Record<string, unknown> = {}
circular.self = circular

const tools: Record<string, ToolHandler> = {
  order: make('order', ({ item, count }) => ({ eta: `${count} ${item} on Monday` })),
  slow: make('slow', async () => {
    await pause(Number(SLOW_MS))
    return { eta: 'Tuesday' }
  }),
  late: make('late', (_, { later, answerUrl }) => {
    process.stdin.once('data', async () => {
      const first = await answer({ answerUrl, output: { eta: 'Friday' } })
      const again = await answer({ answerUrl, output: { eta: 'Friday' } })
      const other = await answer({ answerUrl, error: 'No.' })
      const wrong = await answer({ answerUrl: `${answerUrl}x`, error: 'No.' })
      console.log(`answered ${[first, again, other, wrong].map(({ status }) => status).join(' ')}`)
    })
    return later
  }),
  throws: make('throws', () => {
    throw new Error('The password is 1234.')
  }),
  refuses: make('refuses', () => {
    throw new ToolError('The store is closed.')
  }),
  garbage: make('garbage', () => ({ eta: 7 })),
  circular: make('circular', () => ({ eta: 'now', circular })),
  huge: make('huge', () => ({ eta: 'x'.repeat(2 ** 20) }))
}

for (const { call, result } of Object.values(stored))
  if (result === undefined) void tools[call.toolName]?.resume(call)

const server = createServer(
  nodeListener(async request => {
    const handler = tools[new URL(request.url).pathname.slice(1)]
    return handler?.(request) ?? new Response('', { status: 404 })
  })
)
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`Listening on http://127.0.0.1:${port}`)
})
