import type { PluginAbout, PluginDetails, ProtoFile } from '#lib/protocol/plugin/plugin.ts'
import type { SettingField, SettingOption } from '#lib/protocol/plugin/plugin-settings.ts'

/** A tool of a plugin in another language, by its own name. */
export type PluginTool = { name: string; description: string; parameters: Record<string, unknown> }

/** A message to a plugin's model; `toolCallId`: it is the result of that call, said as the user (003-10). */
export type PluginMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  toolCalls?: { id: string; name: string; argumentsJson: string }[]
  toolCallId?: string
}

export type PluginRequest = {
  model: string
  messages: PluginMessage[]
  tools: PluginTool[]
  temperature?: number
  maxTokens?: number
}

/** A piece of what a plugin's model says: `chunk` is a part of a call's JSON, whose first piece has its name. */
export type PluginPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name?: string; chunk: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: 'stop' | 'tool-use' | 'max-tokens' | 'other' }

/** A plugin's manifest as it was read: what it says of itself, and the settings that it asks for. */
export type PluginManifest = { about: PluginAbout; fields: readonly SettingField[] }

/** Something that a plugin shows. `routes`: the requests that it may be sent. */
export type PluginView = {
  name: string
  label: string
  icon: string
  scope: 'workspace' | 'global'
  routes: PluginRoute[]
}
export type PluginRoute = { method: string; path: string }
export type RouteRequest = {
  method: string
  path: string
  body: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}
export type RouteAnswer = { status: number; body: Uint8Array; headers: Record<string, string> }

/** Who is at the other end of a stream: the first thing that the plugin is told. */
export type StreamPerson = { workspaceId: string; userId: string; userEmail: string }

/** The moments of a run that a hook is told of (003-15). */
export const lifecycleTypes = [
  'AGENT_START',
  'AGENT_END',
  'TURN_START',
  'TURN_END',
  'LLM_REQUEST',
  'LLM_RESPONSE',
  'TOOL_CALL',
  'TOOL_RESULT',
  'HANDOFF'
] as const
export type LifecycleType = (typeof lifecycleTypes)[number]

export type LifecycleEvent = { type: LifecycleType; agentName: string; payload: unknown }

/** What a plugin makes of an event. `payload` is JSON that nobody has compared with the event's shape yet. */
export type LifecycleAnswer =
  | { action: 'continue' }
  | { action: 'modify'; payload: unknown }
  | { action: 'cancel' }

/** A plugin in another language, as one workspace has it. What it offers is what it said at its last start. */
export type HostedPlugin = {
  name: string
  tools: readonly PluginTool[]
  hasModel: boolean
  /** The events that it is told of; all of them while nobody knows and it has to be heard. */
  events: readonly LifecycleType[]
  /** What its hooks could not judge is cancelled; otherwise it goes on. */
  failClosed: boolean
  views: readonly PluginView[]
  /** The settings that its manifest asks for, undefined before it could be read; and those that the workspace's file has. */
  schema: readonly SettingField[] | undefined
  fixed: readonly string[]
  /** Asks an address of its schema for options: one of the plugin's own host, or that anybody may call. Throws a `Refusal`. */
  options: (source: string, q: string) => Promise<SettingOption[]>
  /** Always comes to one of the two; `reason` is for the model. */
  callTool: (
    name: string,
    input: unknown,
    signal: AbortSignal
  ) => Promise<{ ok: true; result: unknown } | { ok: false; reason: string }>
  /** What its model says, a `finish` last. Throws a sentence. */
  complete: (request: PluginRequest, signal: AbortSignal | undefined) => AsyncIterable<PluginPart>
  /** What its hook makes of an event (003-15). Throws a sentence. */
  onEvent: (event: LifecycleEvent, signal: AbortSignal | undefined) => Promise<LifecycleAnswer>
  /** A view's components, in HCL (003-12). Throws a sentence. */
  renderView: (
    view: { viewName: string; workspaceId: string; params: Record<string, string> },
    signal: AbortSignal
  ) => Promise<string>
  /** Passes a request on, byte for byte (003-13). Throws a sentence. */
  handleRoute: (request: RouteRequest, signal: AbortSignal) => Promise<RouteAnswer>
  /** Relays bytes both ways, unread (003-14). The end of `outgoing` tells the plugin so. Throws a sentence. */
  handleStream: (
    person: StreamPerson,
    outgoing: AsyncIterable<Uint8Array>,
    signal: AbortSignal
  ) => AsyncIterable<Uint8Array>
}

/** The plugins in other languages that this process keeps running, by workspace (docs/plugins-grpc.md). */
export type PluginHost = {
  /** Those of a workspace in the order of its file. */
  of: (workspaceId: string) => readonly HostedPlugin[]
  /** Resolves once each has said what it has or came to nothing, or that time is over. */
  settled: (workspaceId: string, milliseconds: number) => Promise<void>
  list: (workspaceId: string) => PluginDetails[]
  /** Starts one anew at once, also one that failed; false: the workspace has none of that name. */
  restart: (workspaceId: string, name: string) => boolean
  /** The contract that they are built with. */
  protos: () => Promise<ProtoFile[]>
  stop: () => Promise<void>
}

/** What a plugin asks to have a conversation about. Nothing of an earlier one is remembered. */
export type Conversation = {
  input: string
  history: { role: 'user' | 'assistant'; content: string }[]
  /** Aborted when the plugin goes away. */
  signal: AbortSignal
}

/** What happens in one (003-17); the last is `finish` or `error`. `message` is for a person. */
export type ConversationEvent =
  | { type: 'content'; agent: string; content: string }
  | { type: 'tool_call'; agent: string; tool: string; args: string }
  | { type: 'tool_result'; agent: string; tool: string; result: string; isError: boolean }
  | { type: 'handoff'; agent: string; target: string }
  | { type: 'finish'; agent: string }
  | { type: 'error'; agent: string; message: string }
