import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What a program of a test needs to see: the Node that runs the tests, and the packages. */
const seen = [dirname(dirname(process.execPath)), join(process.cwd(), 'node_modules')]

/** A server of the package, in the sandbox, as an administrator would list it. */
export const packaged = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(process.cwd(), `node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args],
  description: `The reference server ${name}.`,
  readOnly: seen
})

/** A program that is this text, run by Node without a sandbox. */
export const written = (text: string) => ({
  command: process.execPath,
  args: ['-e', text],
  description: 'A program of a test.',
  sandbox: false
})

/** A file for WAYSTATION_MCP_STDIO, gone with the test. */
export function programList(servers: Record<string, object> | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'programs.json')
  writeFileSync(path, typeof servers === 'string' ? servers : JSON.stringify({ servers }))
  return path
}

/** An MCP server of one tool, "go", that does what `go` says; `hello` and `list` come before. */
export const serverThat = (go: string, { hello = '', list = '' } = {}) =>
  written(`
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
