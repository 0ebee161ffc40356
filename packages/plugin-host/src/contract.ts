import type {
  PluginAbout,
  PluginCapability,
  PluginDetails,
  ProtoFile
} from '@waystation/protocol/plugin/plugin.ts'
import type { SettingField, SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'

/**
 * The session, user and tool call of a call to a plugin, which receives them as gRPC metadata (docs/plugins-grpc.md#call-metadata).
 * Fields are absent if they do not apply. `userId`: the only person who asked for the work. `idempotencyKey` is the
 * same if the server repeats the call.
 */
export type CallOrigin = {
  sessionId?: string | undefined
  userId?: string | undefined
  callId?: string | undefined
  idempotencyKey?: string | undefined
}

/** The origin of a call, and a signal that stops it. */
export type PluginCall = CallOrigin & { signal?: AbortSignal | undefined }

/** A tool of a gRPC plugin, under the plugin's own name for it. */
export type PluginTool = { name: string; description: string; parameters: Record<string, unknown> }

/**
 * A message for a plugin's model. `toolCallId` marks the result of a call, which is sent as a user message (003-10).
 */
export type PluginMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  toolCalls?: { id: string; name: string; argumentsJson: string }[]
  toolCallId?: string
}

/** A request to a plugin's model. */
export type PluginRequest = {
  model: string
  messages: PluginMessage[]
  tools: PluginTool[]
  temperature?: number
  maxTokens?: number
  topP?: number
}

/**
 * A part of the output of a plugin's model. `chunk` is a part of a call's JSON arguments. Its first part also has the
 * name.
 */
export type PluginPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name?: string; chunk: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: 'stop' | 'tool-use' | 'max-tokens' | 'other' }

/** A plugin's manifest: its name, description and settings, and what the server does not know in it. */
export type PluginManifest = {
  name: string
  about: PluginAbout
  fields: readonly SettingField[]
  warnings?: readonly string[]
}

/** A view of a plugin. `routes` are the requests that the plugin accepts. */
export type PluginView = {
  name: string
  label: string
  icon: string
  scope: 'workspace' | 'global'
  routes: PluginRoute[]
}
export type PluginRoute = { method: string; path: string }
/** A request to a route of a plugin. */
export type RouteRequest = {
  method: string
  path: string
  body: Uint8Array
  headers: Record<string, string>
  query: Record<string, string>
}
export type RouteAnswer = { status: number; body: Uint8Array; headers: Record<string, string> }

/** The user at the other end of a stream. The plugin receives this first. */
export type StreamPerson = { workspaceId: string; userId: string; userEmail: string }

/** The address of a remote plugin. `pin` and `ca` (PEM) say which certificate it must have. */
export type PluginAt = { source: string; pin?: string | undefined; ca?: string | undefined }

/** The data of a plugin that is not running, as it returned it once. `problem`: it refused to register. */
export type PluginInspection = {
  manifest: PluginManifest
  version: string
  capabilities: PluginCapability[]
  events: readonly LifecycleType[]
  tools: readonly PluginTool[]
  views: readonly PluginView[]
  skipped: readonly { name: string; reason: string }[]
  problem?: string
}

/** The events of a run that plugin hooks receive (003-15). */
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

/** An event of a run, for a plugin's hook. */
export type LifecycleEvent = { type: LifecycleType; agentName: string; payload: unknown }

/** A plugin's response to an event. `payload` is JSON that is not validated yet. */
export type LifecycleAnswer =
  | { action: 'continue' }
  | { action: 'modify'; payload: unknown }
  | { action: 'cancel' }

/** A gRPC plugin of one workspace. Its tools and capabilities are as of its last start. */
export type HostedPlugin = {
  name: string
  /** True if an owner added it by its address. False if it is from a workspace file. */
  isAdded: boolean
  /** True if each process runs a copy of its program. */
  isLocal: boolean
  tools: readonly PluginTool[]
  hasModel: boolean
  /** The events that it receives. If its events are unknown and `failClosed` is set, it receives all of them. */
  events: readonly LifecycleType[]
  /** If true, operations that its hooks could not check are cancelled. Otherwise they continue. */
  failClosed: boolean
  views: readonly PluginView[]
  /** The settings in its manifest. Undefined until it has been read. */
  schema: readonly SettingField[] | undefined
  fixed: readonly string[]
  /** Queries a URL from its schema for options. It must be on the plugin's own host, or public. Throws an `ApiError`. */
  options: (source: string, q: string) => Promise<SettingOption[]>
  /** Never throws. `reason` is for the model. `timeoutMs` is the deadline that the plugin sees, by default 60 s. */
  callTool: (
    name: string,
    input: unknown,
    call: PluginCall & { timeoutMs?: number }
  ) => Promise<{ ok: true; result: unknown } | { ok: false; reason: string }>
  /** Streams the output of its model, with `finish` last. Throws a `PluginError`. */
  complete: (request: PluginRequest, call: PluginCall) => AsyncIterable<PluginPart>
  /** Runs its hook for an event (003-15). Throws a `PluginError`. */
  onEvent: (event: LifecycleEvent, call: PluginCall) => Promise<LifecycleAnswer>
  /** Returns a view's components in HCL (003-12). Throws a `PluginError`. */
  renderView: (
    view: { viewName: string; workspaceId: string; params: Record<string, string> },
    call: PluginCall
  ) => Promise<string>
  /** Forwards a request unchanged (003-13). Throws a `PluginError`. */
  handleRoute: (request: RouteRequest, call: PluginCall) => Promise<RouteAnswer>
  /** Relays bytes in both directions (003-14). The plugin sees when `outgoing` ends. Throws a `PluginError`. */
  handleStream: (
    person: StreamPerson,
    outgoing: AsyncIterable<Uint8Array>,
    call: PluginCall
  ) => AsyncIterable<Uint8Array>
}

/** The gRPC plugins that this process runs, by workspace (docs/plugins-grpc.md). */
export type PluginHost = {
  /** Returns a workspace's plugins in the order of its file. */
  of: (workspaceId: string) => readonly HostedPlugin[]
  /** Like `of`, but waits until each plugin has started or failed, at most that long (default 3 s). */
  ready: (workspaceId: string, milliseconds?: number) => Promise<readonly HostedPlugin[]>
  list: (workspaceId: string) => PluginDetails[]
  /**
   * Reads what the plugin at an address provides, within 10 s and the egress rules. It does not run it. `saved` are
   * settings to register with. Throws a `PluginError`, or an Error if its manifest cannot be read.
   */
  inspect: (workspaceId: string, at: PluginAt, saved: Record<string, string>) => Promise<PluginInspection>
  /** Restarts a plugin at once, also a failed one. Returns false if the workspace has no plugin of that name. */
  restart: (workspaceId: string, name: string) => boolean
  /** The protocol definition that plugins are built with. */
  protos: () => Promise<ProtoFile[]>
  stop: () => Promise<void>
}

/** A conversation that a plugin requests. It starts without history from earlier ones. */
export type Conversation = {
  input: string
  history: { role: 'user' | 'assistant'; content: string }[]
  /** Aborts when the plugin stops. */
  signal: AbortSignal
}

/** An event of such a conversation (003-17). The last one is `finish` or `error`. `message` is for people. */
export type ConversationEvent =
  | { type: 'content'; agent: string; content: string }
  | { type: 'tool_call'; agent: string; tool: string; args: string }
  | { type: 'tool_result'; agent: string; tool: string; result: string; isError: boolean }
  | { type: 'handoff'; agent: string; target: string }
  | { type: 'finish'; agent: string }
  | { type: 'error'; agent: string; message: string }
