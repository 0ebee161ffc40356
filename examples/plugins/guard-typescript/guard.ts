#!/usr/bin/env node
/** A plugin with hooks. README.md says how to run it, and docs/plugins-grpc.md describes the whole contract. */
import { timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const name = 'guard'
const manifest = `
plugin "guard" {
  version     = "1.0.0"
  description = "Lets no agent call what it may not, and shows models no secrets"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "blocked_tools" {
      type        = "string"
      description = "Tools that nobody calls, with commas between them"
      placeholder = "web-fetch, zx-script"
    }
    field "secrets" {
      type        = "string"
      default     = "sk-[A-Za-z0-9]{16,}"
      description = "A regular expression: what it finds, models do not see"
    }
  }
}`

let blocked: string[] = []
let secrets = /$^/g

type ToolCall = { arguments_json: string }
type Message = { content: string; tool_calls?: ToolCall[] }
type Payloads = {
  TOOL_CALL: { tool_name: string }
  LLM_REQUEST: { messages: Message[] }
}

/** Decides about an event. Undefined lets it continue; otherwise it is canceled or gets another payload. */
function decide(type: string, payload: unknown): { cancel: true } | { change: object } | undefined {
  if (type === 'TOOL_CALL') {
    const { tool_name: tool } = payload as Payloads['TOOL_CALL']
    return blocked.includes(tool) ? { cancel: true } : undefined
  }
  if (type === 'LLM_REQUEST') {
    const { messages } = payload as Payloads['LLM_REQUEST']
    const clean = messages.map(withoutSecrets)
    const isUnchanged = JSON.stringify(clean) === JSON.stringify(messages)
    return isUnchanged ? undefined : { change: { ...(payload as object), messages: clean } }
  }
  return undefined
}

const hide = (text: string) => text.replaceAll(secrets, '[secret]')

/**
 * Removes secrets from the text and arguments. Keeps IDs and names, because a result refers to its call by them.
 */
const withoutSecrets = (message: Message): Message => ({
  ...message,
  content: hide(message.content),
  ...(message.tool_calls && {
    tool_calls: message.tool_calls.map(call => ({ ...call, arguments_json: hide(call.arguments_json) }))
  })
})

const plugin = {
  Register({ request: { config } }: Call<{ config: Record<string, string> }>, respond: Respond) {
    try {
      secrets = new RegExp(config.secrets || '$^', 'g')
    } catch (error) {
      const details = `“secrets” is no pattern: ${error instanceof Error ? error.message : error}`
      return respond({ code: grpc.status.INVALID_ARGUMENT, details })
    }
    blocked = (config.blocked_tools ?? '').split(',').map(tool => tool.trim())
    // Only the events that this plugin needs. The platform streams model responses if no plugin asks to see them
    // whole.
    const metadata = { version: '1.0.0', lifecycle_events: 'LLM_REQUEST,TOOL_CALL' }
    respond(null, { name, capabilities: ['LIFECYCLE_HOOK'], metadata })
  },
  Health: (_: Call<object>, respond: Respond) => respond(null, { status: 'SERVING' }),
  GetManifest: (_: Call<object>, respond: Respond) => respond(null, { manifest_hcl: manifest })
}

const hooks = {
  OnEvent(
    { request: { type, payload_json } }: Call<{ type: string; payload_json: Buffer }>,
    respond: Respond
  ) {
    const verdict = decide(type, JSON.parse(payload_json.toString()))
    if (verdict === undefined) respond(null, { action: 'CONTINUE' })
    else if ('cancel' in verdict) respond(null, { action: 'CANCEL' })
    else
      respond(null, { action: 'MODIFY', modified_payload_json: Buffer.from(JSON.stringify(verdict.change)) })
  }
}

type Call<Request> = { request: Request }
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
      (call: grpc.ServerUnaryCall<object, object>, respond: Respond) =>
        isPlatform(call)
          ? work(call, respond)
          : respond({ code: grpc.status.UNAUTHENTICATED, details: 'Who are you?' })
    ])
  )

// The contract is read at the start, so no code is generated.
const protos = process.env.PROTOS ?? join(import.meta.dirname, '../../../proto')
const files = ['plugin.proto', 'lifecycle.proto']
const read = loader.loadSync(files, { includeDirs: [protos], keepCase: true, enums: String, defaults: true })
const service = (serviceName: string) => read[`agentplatform.v1.${serviceName}`] as grpc.ServiceDefinition
const server = new grpc.Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 })
server.addService(service('Plugin'), guarded(plugin))
server.addService(service('LifecycleHook'), guarded(hooks))
const listen = process.env.PLUGIN_LISTEN_ADDR ?? '127.0.0.1:9012'
server.bindAsync(listen, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error
  console.log(`1|1|tcp|127.0.0.1:${port}|grpc`)
})
// The platform started this process. If its input closes, the platform has ended.
if (token !== undefined) process.stdin.resume().once('end', () => process.exit(0))
