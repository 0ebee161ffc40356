import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { completion, type Reply, streamReply } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from './model-request.ts'

/** The responses in order, one per request, or a (possibly asynchronous) function of the request. */
export type ModelScript = Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>)

/** A running fake model provider. */
export type OpenAIServer = AsyncDisposable & {
  /** The value for `OPENAI_BASE_URL`. */
  url: string
  /** Every request so far, oldest first. */
  requests: ModelRequest[]
  /** Resolves with the request at this index (from 0) as soon as it arrives. */
  request(index: number): Promise<ModelRequest>
  /** Continues every response of `replyThenHold`, now and later. */
  release(): void
  /** Replaces the rest of the script. */
  setScript(script: ModelScript): void
  close(): Promise<void>
}

/**
 * Starts a model provider on a free port of 127.0.0.1 with OpenAI's chat completions API, streamed or not, from a
 * script. A request beyond the script gets a 400, which is not retried.
 */
export async function startOpenAIServer({
  script = []
}: {
  script?: ModelScript
} = {}): Promise<OpenAIServer> {
  const requests: ModelRequest[] = []
  const waiters: { index: number; arrived: (request: ModelRequest) => void }[] = []
  let current = script
  let startedAt = 0
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming, response)
    const index = requests.push(request) - 1
    for (const waiter of waiters) if (waiter.index === index) waiter.arrived(request)
    const reply = typeof current === 'function' ? await current(request, index) : current[index - startedAt]
    await sendReply(response, request, reply ?? outOfScript(index), released)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request: index =>
      requests[index]
        ? Promise.resolve(requests[index])
        : new Promise(arrived => waiters.push({ index, arrived })),
    release: () => release(),
    setScript(next) {
      current = next
      startedAt = requests.length
    },
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server)
  }
}

async function readRequest(incoming: IncomingMessage, response: ServerResponse): Promise<ModelRequest> {
  const ended = new Promise<'finished' | 'disconnected'>(resolve =>
    response.once('close', () => resolve(response.writableFinished ? 'finished' : 'disconnected'))
  )
  const body = (await json(incoming)) as ModelRequest['body']
  return { path: incoming.url ?? '', headers: incoming.headers, body, ended }
}

async function sendReply(
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
