#!/usr/bin/env node
/**
 * A plugin with a language model. README.md says how to run it, and docs/plugins-grpc.md describes the whole
 * contract.
 */
import { type ModelPart, type ModelRequest, PluginError, type PluginStatus, plugin } from '@waystation/plugin'

const defaultUrl = 'http://127.0.0.1:11434/v1'
let base = defaultUrl
let key: string | undefined

const toRequestBody = ({ model, messages, tools, temperature, maxTokens }: ModelRequest) => ({
  model,
  stream: true,
  stream_options: { include_usage: true },
  messages: messages.map(({ role, content, toolCalls, toolCallId }) =>
    toolCallId
      ? { role: 'tool', content, tool_call_id: toolCallId }
      : {
          role,
          content,
          ...(toolCalls.length > 0 && {
            tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({
              id,
              type: 'function',
              function: { name, arguments: argumentsJson }
            }))
          })
        }
  ),
  ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function', function: tool })) }),
  ...(temperature !== undefined && { temperature }),
  ...(maxTokens !== undefined && { max_tokens: maxTokens })
})

type Piece = {
  choices?: {
    delta?: {
      content?: string | null
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[]
    }
    finish_reason?: string | null
  }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  error?: { message?: string }
}

const reasons = { stop: 'stop', tool_calls: 'tool-use', length: 'max-tokens' } as const

/**
 * Streams the model's response: text and calls as they arrive, then the usage, and at last the finish reason.
 * Throws if there is no finish reason, because a truncated response must not look complete. `signal` aborts when
 * the user stops the turn.
 */
async function* complete(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(toRequestBody(request)),
    signal
  })
  if (!response.ok || response.body === null) {
    const text = (await response.text()).slice(0, 300)
    throw new PluginError(statusOf(response.status), `${base} answered ${response.status}: ${text}`)
  }
  const ids: string[] = []
  let reason: string | undefined
  for await (const piece of parseEvents(response.body)) {
    if (piece.error) throw new Error(`${base} failed: ${piece.error.message ?? JSON.stringify(piece.error)}`)
    const [choice] = piece.choices ?? []
    if (choice?.delta?.content) yield { type: 'text', text: choice.delta.content }
    for (const { index, id, function: fn } of choice?.delta?.tool_calls ?? []) {
      ids[index] ??= id ?? `call_${index}`
      yield { type: 'tool-call', id: ids[index], name: fn?.name, chunk: fn?.arguments ?? '' }
    }
    if (piece.usage) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = piece.usage
      yield { type: 'usage', inputTokens, outputTokens }
    }
    reason = choice?.finish_reason ?? reason
  }
  if (reason === undefined) throw new Error(`${base} ended in the middle of an answer.`)
  yield { type: 'finish', reason: reasons[reason as keyof typeof reasons] ?? 'other' }
}

/**
 * Parses a stream of events (text/event-stream), each with one line of JSON. The last line can lack a line break.
 */
async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.flatMap(parseLine)
  }
  yield* parseLine(rest)
}

function parseLine(line: string): Piece[] {
  const data = line.startsWith('data:') ? line.slice(5).trim() : ''
  if (data === '' || data === '[DONE]') return []
  try {
    return [JSON.parse(data)]
  } catch {
    throw new Error(`${base} sent what is not JSON: ${data.slice(0, 100)}`)
  }
}

/** The server retries only two of these: UNKNOWN and RESOURCE_EXHAUSTED. */
function statusOf(status: number): PluginStatus {
  if (status === 401 || status === 403) return 'UNAUTHENTICATED'
  if (status === 429) return 'RESOURCE_EXHAUSTED'
  return status < 500 && status !== 408 ? 'INVALID_ARGUMENT' : 'UNKNOWN'
}

/** Adds the cause to an error of `fetch`, whose message only says that it failed. */
function withCause(error: unknown): unknown {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return error
  const { message, name } = error.cause
  return new PluginError('UNKNOWN', `${base}: ${error.message} (${message || name})`, { cause: error })
}

await plugin({
  name: 'model',
  version: '1.0.0',
  description: 'Models of any server with the API of OpenAI: Ollama, vLLM, llama.cpp',
  author: 'Waystation',
  settings: {
    base_url: { type: 'string', default: defaultUrl, description: 'The address of the models' },
    api_key_env: { type: 'string', description: 'The variable with the API key, if the models need one' }
  },
  register({ settings, env }) {
    base = settings.base_url.replace(/\/$/, '')
    const reject = (why: string) => new PluginError('INVALID_ARGUMENT', why)
    if (!URL.canParse(base)) throw reject(`“${base}” is not an address. Set base_url, such as ${defaultUrl}.`)
    const variable = settings.api_key_env
    key = variable && env[variable]
    if (variable && !key) throw reject(`There is no variable ${variable}, which api_key_env names.`)
  },
  async *model(request, { signal }) {
    try {
      yield* complete(request, signal)
    } catch (error) {
      throw withCause(error)
    }
  }
}).serve({ listen: '127.0.0.1:9013' })
