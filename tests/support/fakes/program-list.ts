import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The paths that a test's program needs: the Node that runs the tests, and the packages. */
const readablePaths = [dirname(dirname(process.execPath)), join(process.cwd(), 'node_modules')]

/** Returns the list entry of an npm package's server in the sandbox, like an administrator would write it. */
export const packaged = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(process.cwd(), `node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args],
  description: `The reference server ${name}.`,
  readOnly: readablePaths
})

/** Returns the list entry of a program with this source, which Node runs without a sandbox. */
export const writeProgram = (text: string) => ({
  command: process.execPath,
  args: ['-e', text],
  description: 'A program of a test.',
  sandbox: false
})

/** Creates a file for WAYSTATION_MCP_STDIO, which is deleted when the test ends. */
export function programList(servers: Record<string, object> | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'programs.json')
  writeFileSync(path, typeof servers === 'string' ? servers : JSON.stringify({ servers }))
  return path
}

/**
 * Returns an MCP server with one tool, "go", whose body is `go`. The code of `hello` and `list` runs before the
 * responses to initialize and tools/list.
 */
export const serverThat = (go: string, { hello = '', list = '' } = {}) =>
  writeProgram(`
    const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    const text = words => ({ content: [{ type: 'text', text: words }] })
    let count = 0
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') {
        ${hello}
        say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } })
      }
      if (method === 'tools/list') {
        ${list}
        say(id, { tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
      }
      if (method === 'tools/call') { ${go} }
    })`)
