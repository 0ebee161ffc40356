import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The bare limit of streaming: one Node process, one route, that asks the same model server and passes each piece of
 * text on as a Server-Sent Event. It stores nothing, folds nothing and resumes nothing. Started with the address of the
 * model server; tells its parent its port.
 */
const [model = ''] = process.argv.slice(2)

const server = createServer(async (_, response) => {
  const asked = await fetch(`${model}/chat/completions`, { method: 'POST', body: '{}' })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of asked.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.slice('data: '.length)
      const delta = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content
      if (delta) response.write(`data: ${JSON.stringify({ type: 'text-delta', delta })}\n\n`)
    }
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
