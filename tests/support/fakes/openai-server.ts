import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { completion, type Reply, streamReply } from '#tests/support/fakes/openai-replies.ts'

/** One request as the fake got it. `body` is the chat completions request (`model`, `messages`, `tools`, …). */
export type ModelRequest = {
  path: string
  headers: IncomingMessage['headers']
  body: {
    model: string
    messages: { role: string; content: unknown }[]
    stream?: boolean
    [field: string]: unknown
  }
  /** Resolves when the answer is over: `finished`, or `left` when the client hung up before. */
  ended: Promise<'finished' | 'left'>
}

/** What to answer: the replies in order, one a request, or a function of the request (which may wait). */
export type ModelScript = Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>)

export type OpenAIServer = AsyncDisposable & {
  /** For `OPENAI_BASE_URL`. */
  url: string
  /** Every request so far, oldest first. */
  requests: ModelRequest[]
  /** Resolves with the request of this index (from 0) once it is in. */
  request(index: number): Promise<ModelRequest>
  /** Lets every answer that `holds` go on, now and later. */
  release(): void
  /** Replaces what is left of the script. */
  play(script: ModelScript): void
  close(): Promise<void>
}

/**
 * A model provider on a free port of 127.0.0.1 that speaks OpenAI's chat completions, streamed and not, from a
 * script. A request past the end of the script gets a 400 that says so (and no retry).
 */
export async function startOpenAIServer({
  script = []
}: {
  script?: ModelScript
} = {}): Promise<OpenAIServer> {
  const requests: ModelRequest[] = []
  const arrivals: { index: number; arrived: (request: ModelRequest) => void }[] = []
  let playing = script
  let startedAt = 0
  let letGo = () => {}
  const released = new Promise<void>(resolve => (letGo = resolve))

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming, response)
    const index = requests.push(request) - 1
    for (const one of arrivals) if (one.index === index) one.arrived(request)
    const reply = typeof playing === 'function' ? await playing(request, index) : playing[index - startedAt]
    await answer(response, request, reply ?? outOfScript(index), released)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request: index =>
      requests[index]
        ? Promise.resolve(requests[index])
        : new Promise(arrived => arrivals.push({ index, arrived })),
    release: () => letGo(),
    play(next) {
      playing = next
      startedAt = requests.length
    },
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server)
  }
}

async function readRequest(incoming: IncomingMessage, response: ServerResponse): Promise<ModelRequest> {
  const ended = new Promise<'finished' | 'left'>(resolve =>
    response.once('close', () => resolve(response.writableFinished ? 'finished' : 'left'))
  )
  const body = (await json(incoming)) as ModelRequest['body']
  return { path: incoming.url ?? '', headers: incoming.headers, body, ended }
}

async function answer(
  response: ServerResponse,
  request: ModelRequest,
  reply: Reply,
  released: Promise<void>
) {
  if (reply.kind === 'status') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  } else if (request.body.stream) {
    await streamReply(response, request, reply, released)
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(completion(request.body.model, reply)))
  }
}

const outOfScript = (index: number): Reply => ({
  kind: 'status',
  status: 400,
  body: { error: { message: `The script has no reply for request ${index}.`, type: 'invalid_request_error' } }
})

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>(resolve => server.close(() => resolve()))
}
