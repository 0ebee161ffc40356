#!/usr/bin/env node
/** A plugin with a language model. README.md says how to run it; docs/plugins-grpc.md has the whole contract. */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const name = 'model'
const usual = 'http://127.0.0.1:11434/v1'
const manifest = `
plugin "model" {
  version     = "1.0.0"
  description = "Models behind any address that speaks as OpenAI does: Ollama, vLLM, llama.cpp"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "base_url" {
      type        = "string"
      default     = "${usual}"
      description = "Where the models are"
    }
    field "api_key_env" {
      type        = "string"
      description = "The variable that has the key, if they want one"
    }
  }
}`

let base = usual
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

const asked = ({ model, messages, available_tools: tools, temperature, max_tokens }: Request) => ({
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

/** The model's server answered with an HTTP status that is an error. */
class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const reasons: Record<string, string> = { stop: 'STOP', tool_calls: 'TOOL_USE', length: 'MAX_TOKENS' }

/**
 * What the model says, piece by piece: text and calls as they come, what it cost, and last why it ended. Throws when there is no
 * such end: an answer that was cut off must not look like a whole one.
 */
async function* answerTo(request: Request, signal: AbortSignal) {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(asked(request)),
    signal
  })
  if (!response.ok || response.body === null)
    throw new Refused(
      `${base} answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
      response.status
    )
  const ids: string[] = []
  let reason: string | undefined
  for await (const piece of pieces(response.body)) {
    if (piece.error) throw new Error(`${base} failed: ${piece.error.message ?? JSON.stringify(piece.error)}`)
    const [choice] = piece.choices ?? []
    if (choice?.delta?.content) yield { delta: { content: choice.delta.content } }
    for (const { index, id, function: of } of choice?.delta?.tool_calls ?? []) {
      ids[index] ??= id ?? `call_${index}`
      const chunk = { id: ids[index], name: of?.name ?? '', arguments_chunk: of?.arguments ?? '' }
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

/** The events of a stream (text/event-stream), each of which is a line of JSON; the last line may have no end. */
async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.flatMap(pieceOf)
  }
  yield* pieceOf(rest)
}

function pieceOf(line: string): Piece[] {
  const data = line.startsWith('data:') ? line.slice(5).trim() : ''
  if (data === '' || data === '[DONE]') return []
  try {
    return [JSON.parse(data)]
  } catch {
    throw new Error(`${base} sent what is not JSON: ${data.slice(0, 100)}`)
  }
}

const plugin = {
  Register({ request: { config, env_vars: env } }: { request: Registration }, answer: Answer) {
    const refuse = (details: string) => answer({ code: grpc.status.INVALID_ARGUMENT, details })
    base = (config.base_url || usual).replace(/\/$/, '')
    if (!URL.canParse(base)) return refuse(`“${base}” is no address: say base_url, such as ${usual}.`)
    // The workspace's variables: in the environment of a local plugin, and here for one elsewhere.
    const variable = config.api_key_env
    key = variable && (env[variable] ?? process.env[variable])
    if (variable && !key) return refuse(`There is no variable ${variable}, which api_key_env names.`)
    answer(null, { name, capabilities: ['LLM_PROVIDER'], metadata: { version: '1.0.0' } })
  },
  Health: (_: object, answer: Answer) => answer(null, { status: 'SERVING' }),
  GetManifest: (_: object, answer: Answer) => answer(null, { manifest_hcl: manifest })
}

const models = {
  async Complete(call: grpc.ServerWritableStream<Request, object>) {
    // Somebody pressed Stop: the model is not asked any further.
    const stop = new AbortController()
    call.on('cancelled', () => stop.abort())
    try {
      for await (const piece of answerTo(call.request, stop.signal))
        if (!call.write(piece)) await once(call, 'drain', { signal: stop.signal })
      call.end()
    } catch (error) {
      // UNKNOWN: this plugin is well, and what is behind it failed. UNAVAILABLE would say that the plugin itself is gone.
      const code = error instanceof Refused ? codeOf(error.status) : grpc.status.UNKNOWN
      const details = wordsOf(error)
      call.emit('error', Object.assign(new Error(details), { code, details }))
    }
  }
}

/** The platform retries UNKNOWN and RESOURCE_EXHAUSTED, and does not retry the others. */
function codeOf(status: number): grpc.status {
  if (status === 401 || status === 403) return grpc.status.UNAUTHENTICATED
  if (status === 429) return grpc.status.RESOURCE_EXHAUSTED
  return status < 500 && status !== 408 ? grpc.status.INVALID_ARGUMENT : grpc.status.UNKNOWN
}

/** What went wrong, with its reason: fetch says only that it failed. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${base}: ${error.message} (${cause.message || cause.name})` : error.message
}

type Registration = { config: Record<string, string>; env_vars: Record<string, string> }
type Answer = (error: object | null, answer?: object) => void

const token = process.env.PLUGIN_TOKEN

/** Other programs of this machine can reach the port as well: only who knows the token is answered. */
function isPlatform({ metadata }: { metadata: grpc.Metadata }): boolean {
  const given = Buffer.from(String(metadata.get('authorization')[0] ?? ''))
  const expected = Buffer.from(`Bearer ${token}`)
  return token === undefined || (given.length === expected.length && timingSafeEqual(given, expected))
}

const guarded = (methods: object) =>
  Object.fromEntries(
    Object.entries(methods).map(([method, work]) => [
      method,
      (call: grpc.ServerUnaryCall<object, object>, answer?: Answer) => {
        const refused = { code: grpc.status.UNAUTHENTICATED, details: 'Who are you?' }
        if (isPlatform(call)) work(call, answer)
        else if (answer === undefined) call.emit('error', refused)
        else answer(refused)
      }
    ])
  )

// The contract is read when it starts: no code is generated.
const protos = process.env.PROTOS ?? join(import.meta.dirname, '../../../proto')
const files = ['plugin.proto', 'llm.proto']
const read = loader.loadSync(files, {
  includeDirs: [protos],
  keepCase: true,
  enums: String,
  defaults: true,
  arrays: true
})
const service = (of: string) => read[`agentplatform.v1.${of}`] as grpc.ServiceDefinition
const server = new grpc.Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 })
server.addService(service('Plugin'), guarded(plugin))
server.addService(service('LLMProvider'), guarded(models))
const listen = process.env.PLUGIN_LISTEN_ADDR ?? '127.0.0.1:9013'
server.bindAsync(listen, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error
  console.log(`1|1|tcp|127.0.0.1:${port}|grpc`)
})
// The platform started us: when our input closes, it is gone.
if (token !== undefined) process.stdin.resume().once('end', () => process.exit(0))
