import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ModelRequest } from './model-request.ts'

type Tokens = { input: number; output: number; cached?: number }
type ToolCall = { id: string; name: string; arguments: string }

/** A response of the fake provider, created by the functions below. */
export type Reply =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body: unknown }
  | {
      kind: 'answer'
      text?: string
      refusal?: string
      toolCalls?: ToolCall[]
      /** OpenAI's `finish_reason`. */
      finish: string
      tokens: Tokens
      /** The error, or the pause, after the text and before the finish reason. */
      after: 'finish' | 'cut' | 'end' | 'malformed' | 'error' | 'hold'
      /** Milliseconds between two words. */
      pace?: number
    }

type Answer = Extract<Reply, { kind: 'answer' }>

const TOKENS: Tokens = { input: 20, output: 10 }

/** A text response. */
export const replyText = (text: string, more: Partial<Answer> = {}): Reply => ({
  kind: 'answer',
  text,
  finish: 'stop',
  tokens: TOKENS,
  after: 'finish',
  ...more
})

let callCount = 0

/**
 * A response with one call or several parallel ones. Pass `input` as a string to send arguments that are not JSON.
 */
export const replyCalls = (...tools: { name: string; input: unknown; id?: string }[]): Reply => ({
  kind: 'answer',
  toolCalls: tools.map(({ name, input, id = `call_${++callCount}` }) => ({
    id,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input)
  })),
  finish: 'tool_calls',
  tokens: TOKENS,
  after: 'finish'
})

/** An HTTP error in OpenAI's format. `headers` is for `retry-after`, for example. */
export const replyError = (
  status: number,
  { message = `Failed with ${status}.`, code, type, headers }: FailOptions = {}
): Reply => ({
  kind: 'status',
  status,
  headers,
  body: { error: { message, code: code ?? null, type: type ?? null, param: null } }
})
type FailOptions = { message?: string; code?: string; type?: string; headers?: Record<string, string> }

/** Sends text, then destroys the connection. */
export const replyThenCut = (text: string): Reply => replyText(text, { after: 'cut' })

/** Sends text, then ends the stream normally but without a finish reason. */
export const replyThenEnd = (text: string): Reply => replyText(text, { after: 'end' })

/** Sends text, then a chunk that is not JSON. */
export const replyThenInvalidJson = (text: string): Reply => replyText(text, { after: 'malformed' })

/** Sends text, then an error object in the stream. */
export const replyThenError = (text: string): Reply => replyText(text, { after: 'error' })

/** Sends text, then nothing until `server.release()` or until the client disconnects. */
export const replyThenHold = (text: string): Reply => replyText(text, { after: 'hold' })

/** The model declines, with OpenAI's `refusal` field. */
export const replyRefusal = (refusal: string): Reply => replyText('', { refusal })

/** The provider's filter stops the response in the middle. */
export const replyFiltered = (text: string): Reply => replyText(text, { finish: 'content_filter' })

/** Sends a response as a stream of chat completion chunks. */
export async function streamReply(
  response: ServerResponse,
  request: ModelRequest,
  reply: Answer,
  released: Promise<void>
): Promise<void> {
  const send = (chunk: object) =>
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: request.body.model, ...chunk })}\n\n`
    )
  const delta = (content: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta: content, finish_reason: finish }] })

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  delta({ role: 'assistant', content: '' })
  for (const word of reply.text?.match(/\S+\s*/g) ?? []) {
    delta({ content: word })
    if (reply.pace) await pause(reply.pace)
  }
  if (reply.refusal) delta({ refusal: reply.refusal })
  reply.toolCalls?.forEach((call, index) => {
    const half = Math.ceil(call.arguments.length / 2)
    const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
    delta({ tool_calls: [start] })
    delta({ tool_calls: [{ index, function: { arguments: call.arguments.slice(0, half) } }] })
    delta({ tool_calls: [{ index, function: { arguments: call.arguments.slice(half) } }] })
  })

  switch (reply.after) {
    case 'cut':
      return cut(response)
    case 'end':
      return void response.end()
    case 'malformed':
      return void response.end('data: {"choices": [{"delta": \n\ndata: [DONE]\n\n')
    case 'error':
      return void response.end(
        `data: ${JSON.stringify({ error: { message: 'The server had an error.', type: 'server_error', code: null } })}\n\n`
      )
    case 'hold':
      if ((await Promise.race([released, request.ended])) === 'disconnected') return
  }
  delta({}, reply.finish)
  const options = request.body.stream_options as { include_usage?: boolean } | undefined
  if (options?.include_usage) send({ choices: [], usage: usageOf(reply.tokens) })
  response.end('data: [DONE]\n\n')
}

/** Destroys the connection after all written data was sent, so that the client receives the text first. */
function cut(response: ServerResponse): void {
  response.write(': about to break\n\n', () => response.destroy())
}

/** Returns the same response for a request that does not stream. */
export const completion = (model: string, reply: Answer): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [
    {
      index: 0,
      finish_reason: reply.finish,
      message: {
        role: 'assistant',
        content: reply.text ?? null,
        refusal: reply.refusal ?? null,
        tool_calls: reply.toolCalls?.map(call => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: call.arguments }
        }))
      }
    }
  ],
  usage: usageOf(reply.tokens)
})

const usageOf = ({ input, output, cached = 0 }: Tokens): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached }
})
