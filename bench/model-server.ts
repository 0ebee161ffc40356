import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { now } from './machine.ts'

/**
 * A model provider in its own process, with OpenAI's chat completions API. Each response is a stream of words at a
 * fixed rate. Each word is its send time (`@<milliseconds> `, on the clock that all processes of the machine
 * share). The first word follows the time that it took (`+<milliseconds> `). Takes as arguments the words a second, the
 * duration of a response in seconds, and the words in a paragraph, and sends its port to the parent process.
 */
const [perSecond = 20, seconds = 5, paragraph = Infinity] = process.argv.slice(2).map(Number)
const intervalMs = 1000 / perSecond

const server = createServer(async (request, response) => {
  // An empty page of this origin, on which a bare page can call the API.
  if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end('<main></main>')
  const receivedAt = now()
  for await (const _ of request) {
    // The prompt does not matter.
  }
  const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'clock',
    choices: [{ index: 0, delta, finish_reason: finish }]
  })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send(chunk({ role: 'assistant', content: '' }))
  // A random offset, so that streams that start together do not send words at the same times.
  let due = now() + Math.random() * intervalMs
  for (let n = 0; n < perSecond * seconds; n++, due += intervalMs) {
    await pause(Math.max(0, due - now()))
    const sentAt = now()
    const own = n === 0 ? `+${(sentAt - receivedAt).toFixed(2)} ` : ''
    const end = (n + 1) % paragraph === 0 ? '\n\n' : ''
    send(chunk({ content: `${own}@${sentAt.toFixed(2)} ${end}` }))
  }
  send(chunk({}, 'stop'))
  send({ ...chunk({}), choices: [], usage: { prompt_tokens: 10, completion_tokens: 100, total_tokens: 110 } })
  response.end('data: [DONE]\n\n')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
