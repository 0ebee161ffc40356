#!/usr/bin/env node
/**
 * A plugin with a language model. README.md says how to run it, and docs/plugins-grpc.md describes the whole
 * contract.
 */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const name = 'model'
const defaultUrl = 'http://127.0.0.1:11434/v1'
const manifest = `
plugin "model" {
  version     = "1.0.0"
  description = "Models behind any address that speaks as OpenAI does: Ollama, vLLM, llama.cpp"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "base_url" {
      type        = "string"
      default     = "${defaultUrl}"
      description = "Where the models are"
    }
    field "api_key_env" {
      type        = "string"
      description = "The variable that has the key, if they want one"
    }
  }
}`

let base = defaultUrl
let key: string | undefined

type ToolCall = { id: string; name: string; arguments_json: string }
type Message = { role: string; content: string; tool_calls: ToolCall[]; tool_call_id?: string }
type Tool = { name: string; description: string; parameters_json_schema: string }
type Request = {
  model: string
  messages: Message[]
  available_tools: Tool[]
  temperature?: number
  max_tokens?: number
}

const toRequestBody = ({ model, messages, available_tools: tools, temperature, max_tokens }: Request) => ({
  model,
  stream: true,
  stream_options: { include_usage: true },
  messages: messages.map(({ role, content, tool_calls: calls, tool_call_id }) =>
    tool_call_id
      ? { role: 'tool', content, tool_call_id }
      : {
          role,
          content,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name, arguments_json }) => ({
              id,
              type: 'function',
              function: { name, arguments: arguments_json }
            }))
          })
        }
  ),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, parameters_json_schema: schema }) => ({
      type: 'function',
      function: { name, description, parameters: JSON.parse(schema || '{"type":"object"}') }
    }))
  }),
  ...(temperature !== undefined && { temperature }),
  ...(max_tokens !== undefined && { max_tokens })
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

/** The model server responded with an HTTP error status. */
class HttpError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const reasons: Record<string, string> = { stop: 'STOP', tool_calls: 'TOOL_USE', length: 'MAX_TOKENS' }

/**
 * Streams the model's response: text and calls as they arrive, then the usage, and at last the finish reason.
 * Throws if there is no finish reason, because a truncated response must not look complete.
 */
async function* complete(request: Request, signal: AbortSignal) {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(toRequestBody(request)),
    signal
  })
  if (!response.ok || response.body === null)
    throw new HttpError(
      `${base} answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
      response.status
    )
  const ids: string[] = []
  let reason: string | undefined
  for await (const piece of parseEvents(response.body)) {
    if (piece.error) throw new Error(`${base} failed: ${piece.error.message ?? JSON.stringify(piece.error)}`)
    const [choice] = piece.choices ?? []
    if (choice?.delta?.content) yield { delta: { content: choice.delta.content } }
    for (const { index, id, function: fn } of choice?.delta?.tool_calls ?? []) {
      ids[index] ??= id ?? `call_${index}`
      const chunk = { id: ids[index], name: fn?.name ?? '', arguments_chunk: fn?.arguments ?? '' }
      yield { tool_call_delta: chunk }
    }
    if (piece.usage)
      yield {
        usage: { input_tokens: piece.usage.prompt_tokens, output_tokens: piece.usage.completion_tokens }
      }
    reason = choice?.finish_reason ?? reason
  }
  if (reason === undefined) throw new Error(`${base} ended in the middle of an answer.`)
  yield { finish: { reason: reasons[reason] ?? 'FINISH_REASON_UNSPECIFIED' } }
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

const plugin = {
  Register({ request: { config, env_vars: env } }: { request: Registration }, respond: Respond) {
    const reject = (details: string) => respond({ code: grpc.status.INVALID_ARGUMENT, details })
    base = (config.base_url || defaultUrl).replace(/\/$/, '')
    if (!URL.canParse(base)) return reject(`“${base}” is no address: say base_url, such as ${defaultUrl}.`)
    // The workspace's variables: the environment of a local plugin, or `env_vars` of a remote one.
    const variable = config.api_key_env
    key = variable && (env[variable] ?? process.env[variable])
    if (variable && !key) return reject(`There is no variable ${variable}, which api_key_env names.`)
    respond(null, { name, capabilities: ['LLM_PROVIDER'], metadata: { version: '1.0.0' } })
  },
  Health: (_: object, respond: Respond) => respond(null, { status: 'SERVING' }),
  GetManifest: (_: object, respond: Respond) => respond(null, { manifest_hcl: manifest })
}

const models = {
  async Complete(call: grpc.ServerWritableStream<Request, object>) {
    // If the user stops the turn, cancel the request to the model.
    const stop = new AbortController()
    call.on('cancelled', () => stop.abort())
    try {
      for await (const piece of complete(call.request, stop.signal))
        if (!call.write(piece)) await once(call, 'drain', { signal: stop.signal })
      call.end()
    } catch (error) {
      // UNKNOWN: the plugin works, and the model server failed. UNAVAILABLE would mean that the plugin itself is
      // down.
      const code = error instanceof HttpError ? codeOf(error.status) : grpc.status.UNKNOWN
      const details = messageOf(error)
      call.emit('error', Object.assign(new Error(details), { code, details }))
    }
  }
}

/** The platform retries only UNKNOWN and RESOURCE_EXHAUSTED. */
function codeOf(status: number): grpc.status {
  if (status === 401 || status === 403) return grpc.status.UNAUTHENTICATED
  if (status === 429) return grpc.status.RESOURCE_EXHAUSTED
  return status < 500 && status !== 408 ? grpc.status.INVALID_ARGUMENT : grpc.status.UNKNOWN
}

/** Returns the message of an error with its cause, because the message of `fetch` only says that it failed. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${base}: ${error.message} (${cause.message || cause.name})` : error.message
}

type Registration = { config: Record<string, string>; env_vars: Record<string, string> }
type Respond = (error: object | null, answer?: object) => void

const token = process.env.PLUGIN_TOKEN

/** Other programs on this machine can reach the port too, so only callers with the token get a response. */
function isPlatform({ metadata }: { metadata: grpc.Metadata }): boolean {
  const received = Buffer.from(String(metadata.get('authorization')[0] ?? ''))
  const expected = Buffer.from(`Bearer ${token}`)
  return token === undefined || (received.length === expected.length && timingSafeEqual(received, expected))
}

const guarded = (methods: object) =>
  Object.fromEntries(
    Object.entries(methods).map(([method, work]) => [
      method,
      (call: grpc.ServerUnaryCall<object, object>, respond?: Respond) => {
        const unauthenticated = { code: grpc.status.UNAUTHENTICATED, details: 'Who are you?' }
        if (isPlatform(call)) work(call, respond)
        else if (respond === undefined) call.emit('error', unauthenticated)
        else respond(unauthenticated)
      }
    ])
  )

// The contract is read at the start, so no code is generated.
const protos = process.env.PROTOS ?? join(import.meta.dirname, '../../../proto')
const files = ['plugin.proto', 'llm.proto']
const read = loader.loadSync(files, {
  includeDirs: [protos],
  keepCase: true,
  enums: String,
  defaults: true,
  arrays: true
})
const service = (serviceName: string) => read[`agentplatform.v1.${serviceName}`] as grpc.ServiceDefinition
const server = new grpc.Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 })
server.addService(service('Plugin'), guarded(plugin))
server.addService(service('LLMProvider'), guarded(models))
const listen = process.env.PLUGIN_LISTEN_ADDR ?? '127.0.0.1:9013'
server.bindAsync(listen, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error
  console.log(`1|1|tcp|127.0.0.1:${port}|grpc`)
})
// The platform started this process. If its input closes, the platform has ended.
if (token !== undefined) process.stdin.resume().once('end', () => process.exit(0))
