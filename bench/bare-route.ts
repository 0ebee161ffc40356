import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The baseline for streaming: a Node process with one route. It calls the same model server and sends each piece of
 * text as a Server-Sent Event, without storage, folding or resumption. Takes the model server's URL as its argument
 * and sends its port to the parent process.
 */
const [modelUrl = ''] = process.argv.slice(2)

const server = createServer(async (_, response) => {
  const modelResponse = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', body: '{}' })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of modelResponse.body ?? []) {
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
