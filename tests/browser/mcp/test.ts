import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '#tests/browser/test.ts'

const search = {
  name: 'search_flights',
  title: 'Search flights',
  description: 'Finds flights between two places on a day.',
  inputSchema: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'IATA code of the start' },
      to: { type: 'string', description: 'IATA code of the end' },
      stops: { type: 'integer' }
    },
    required: ['from', 'to']
  }
}
const others = Array.from({ length: 12 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does the ${at}th thing.`,
  inputSchema: { type: 'object', properties: {} }
}))

/** Returns the config of a program whose tools are read from a file. */
const programOf = (file: string) => ({
  command: process.execPath,
  args: [
    '-e',
    `const { readFileSync } = require('node:fs')
    const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method, params } = JSON.parse(line)
      const serverInfo = { name: 'flights', version: '1' }
      if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
      if (method === 'tools/list') say(id, { tools: JSON.parse(readFileSync(${JSON.stringify(file)})) })
    })`
  ],
  description: 'Looks for flights and books them.',
  sandbox: false
})

/** The number of programs per worker. Each test takes its own, so that it does not see the checks of another test. */
const programs = 40

type Flights = {
  /** The name of a program that no other test has used. */
  name: string
  /** Changes the description of `search_flights`. */
  describe(description: string): void
  /** Adds the tool `book_flight`. */
  grow(): void
  /** Adds a tool with an invalid schema. */
  spoil(): void
}

/**
 * Test for a server with many equal MCP servers, of which each test takes one (`flights`), and one that does not
 * start (`trains`).
 */
export const test = base.extend<{ flights: Flights }, { folder: string; listCount: { count: number } }>({
  folder: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'mcp-page-'))
      // If the tests run as root, the programs run as `nobody`.
      chmodSync(folder, 0o755)
      const servers: Record<string, object> = {
        trains: { ...programOf(''), args: ['-e', 'process.exit(3)'], description: 'Does not start.' }
      }
      for (let at = 0; at < programs; at++) {
        const file = join(folder, `flights-${at}.json`)
        writeFileSync(file, JSON.stringify([search, ...others]))
        servers[`flights-${at}`] = programOf(file)
      }
      writeFileSync(join(folder, 'programs.json'), JSON.stringify({ servers }))
      await use(folder)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' }
  ],

  // biome-ignore lint/correctness/noEmptyPattern: see above
  listCount: [async ({}, use) => use({ count: 0 }), { scope: 'worker' }],

  serverOptions: [
    async ({ folder }, use) => use({ settings: { WAYSTATION_MCP_STDIO: join(folder, 'programs.json') } }),
    { scope: 'worker' }
  ],

  flights: async ({ folder, listCount }, use) => {
    const name = `flights-${listCount.count++ % programs}`
    await use({
      name,
      describe(description) {
        const tools = [...others, { ...search, description }]
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(tools))
      },
      grow() {
        const book = {
          ...search,
          name: 'book_flight',
          title: 'Book a flight',
          description: 'Books a flight.'
        }
        writeFileSync(join(folder, `${name}.json`), JSON.stringify([search, ...others, book]))
      },
      spoil() {
        const spoilt = {
          name: 'spoilt',
          inputSchema: { type: 'object', properties: { a: { type: 'objekt' } } }
        }
        writeFileSync(join(folder, `${name}.json`), JSON.stringify([search, ...others, spoilt]))
      }
    })
  }
})
