import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model provider in its own process, with OpenAI's chat completions API, with and without streaming. It responds at
 * once, so that a run costs only the server and its storage. It calls a tool if the newest message is a user's that
 * contains `deploy`, and says one sentence otherwise. The tool is `deploy`, or `web-fetch` with a page of this server.
 * Sends its port to the parent process.
 */

type Message = { role: string; content: unknown }
type Tool = { function: { name: string } }

const sentence = 'That is done, and everything that belongs to it was looked at once more.'
const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }
let count = 0

/** Returns the assistant's message and its finish reason. */
function answerTo(messages: readonly Message[], tools: readonly Tool[]) {
  const newest = messages.at(-1)
  const asked = newest?.role === 'user' && JSON.stringify(newest.content).includes('deploy')
  if (!asked) return { message: { role: 'assistant', content: sentence }, finish: 'stop' }
  const input = tools.some(tool => tool.function.name === 'deploy')
    ? { name: 'deploy', arguments: '{"target":"production"}' }
    : { name: 'web-fetch', arguments: JSON.stringify({ url: `http://127.0.0.1:${port()}/` }) }
  const call = { id: `call_${process.pid}_${count++}`, type: 'function', function: input }
  return { message: { role: 'assistant', content: null, tool_calls: [call] }, finish: 'tool_calls' }
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end('deployed')
    return
  }
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  const {
    messages,
    tools = [],
    stream,
    model = 'instant'
  } = JSON.parse(body) as {
    messages: Message[]
    tools?: Tool[]
    stream?: boolean
    model?: string
  }
  const { message, finish } = answerTo(messages, tools)
  const head = { id: `c${count++}`, created: 1, model }
  if (stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finish }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    return
  }
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const delta = 'tool_calls' in message ? { ...message, tool_calls: indexed(message.tool_calls) } : message
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    [
      chunk([{ index: 0, delta, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finish }]),
      chunk([], { usage }),
      'data: [DONE]\n\n'
    ].join('')
  )
})

// If the server closes a connection while a client reuses it, the run fails.
server.keepAliveTimeout = 600_000

const indexed = (calls: readonly object[] = []) => calls.map((call, index) => ({ index, ...call }))

const port = () => (server.address() as AddressInfo).port
server.listen(0, '127.0.0.1', () => process.send?.(port()))
