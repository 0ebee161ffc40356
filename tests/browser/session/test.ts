import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test as base } from '#tests/browser/test.ts'
import { elicitingProgram } from '#tests/support/fakes/eliciting-program.ts'

export * from '#tests/browser/test.ts'

/** The two questions of the MCP server `flights`. */
export const questions = ['Which flight shall I book for you?', 'That is 240 €. Book it?'] as const

/** The fields of its first question. */
export const fields = ['Name', 'E-mail', 'Seat', 'Bags', 'Extras', 'Insure it']

const booking = `
  const one = await form('${questions[0]}', {
    name: { type: 'string', title: 'Name', description: 'As in the passport', minLength: 2 },
    email: { type: 'string', format: 'email', title: 'E-mail' },
    seat: { type: 'string', title: 'Seat', oneOf: [{ const: 'a', title: 'Aisle' }, { const: 'w', title: 'Window' }] },
    bags: { type: 'integer', title: 'Bags', minimum: 0, maximum: 3 },
    extras: { type: 'array', title: 'Extras', items: { type: 'string', enum: ['Meal', 'Wi-Fi'] } },
    insured: { type: 'boolean', title: 'Insure it' }
  }, ['name', 'seat'])
  const two = await form('${questions[1]}', { sure: { type: 'boolean', title: 'Yes, book it' } })
  return { one, two }`

/** A message as the external agent receives it. */
type Received = {
  callbackUrl: string
  message: { type: string; id: string; text: string; files?: { name: string; url: string }[] }
  [name: string]: unknown
}

/** A server that acts as an external agent. */
export type ExternalSystem = {
  inputUrl: string
  received: Received[]
  /** The status of its responses (default: 200). */
  status: number
  /** Sends a JSON request to another path of the callback, such as `status`. */
  post(path: string, body: unknown): Promise<Response>
  /** Sends a reply to the session of the first message. */
  reply(body: string, headers?: Record<string, string>): Promise<Response>
}

/** Test for a server that runs scripts and has an MCP server that asks users. */
export const test = base.extend<{ external: ExternalSystem }>({
  serverOptions: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'waystation-flights-'))
      const programs = join(folder, 'programs.json')
      writeFileSync(programs, JSON.stringify({ servers: { flights: elicitingProgram(booking) } }))
      await use({
        settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_MCP_STDIO: programs, WAYSTATION_ZX: '1' }
      })
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' }
  ],

  // biome-ignore lint/correctness/noEmptyPattern: see above
  external: async ({}, use) => {
    const server = createServer(async (request, response) => {
      external.received.push(JSON.parse(await text(request)))
      response.writeHead(external.status).end('ok')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const external: ExternalSystem = {
      inputUrl: `http://127.0.0.1:${port}/in`,
      received: [],
      status: 200,
      post: (path, body) =>
        fetch((external.received[0]?.callbackUrl ?? '').replace('/messages?', `/${path}?`), {
          method: 'POST',
          body: JSON.stringify(body)
        }),
      reply: (body, headers = {}) =>
        fetch(external.received[0]?.callbackUrl ?? '', { method: 'POST', body, headers })
    }
    await use(external)
    server.closeAllConnections()
    server.close()
  }
})
