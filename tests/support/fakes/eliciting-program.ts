import { writeProgram } from '#tests/support/fakes/program-list.ts'

/**
 * Returns an MCP server with one tool, "go", that asks the user questions. `go` is the body of the tool: its
 * `ask(params)` resolves to the answer. `went` is code that runs first for each call.
 */
export const elicitingProgram = (go: string, went = '') =>
  writeProgram(`
    const say = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
    const waits = new Map()
    let nth = 0
    const ask = params => new Promise(resolve => {
      const id = 'ask-' + ++nth
      waits.set(id, resolve)
      say({ id, method: 'elicitation/create', params })
    })
    const form = (message, properties, required = Object.keys(properties)) =>
      ask({ message, requestedSchema: { type: 'object', properties, required } })
    require('node:readline').createInterface({ input: process.stdin }).on('line', async line => {
      const { id, method, params, result, error } = JSON.parse(line)
      if (method === undefined) waits.get(id)?.(result ?? { error })
      if (method === 'initialize')
        say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
      if (method === 'tools/list') say({ id, result: { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } })
      if (method === 'tools/call') {
        ${went}
        const text = JSON.stringify(await (async () => { ${go} })())
        say({ id, result: { content: [{ type: 'text', text }] } })
      }
    })`)
