import type { ModelMessage, ModelPart, ModelRequest } from './model-types.ts'
import type { HookName, HookPayloads } from './payloads.ts'

/**
 * The IDs that the server would send with a call. `userId` is `person:<user ID>`, `key:<key ID>` or
 * `subject:<end user>`.
 */
export type TestIds = {
  sessionId?: string | undefined
  userId?: string | undefined
  callId?: string | undefined
  idempotencyKey?: string | undefined
}

/** The IDs replace those of `testPlugin`. An ID that is set to undefined is not sent. */
type CallOptions = { signal?: AbortSignal } & TestIds
/** A view is not part of a session. */
type ViewCallOptions = Omit<CallOptions, 'sessionId' | 'callId'>

/** A block in a component, such as a field of a form. */
export type ReadBlock = {
  type: string
  labels: string[]
  attributes: Record<string, unknown>
  blocks: ReadBlock[]
}

/** A component as the server reads it. `components` are the ones in it. */
export type ReadComponent = {
  name: string
  type: string
  attributes: Record<string, unknown>
  blocks: ReadBlock[]
  children: ReadComponent[]
}

/** A message for a model. Default of `toolCalls`: none. */
export type TestMessage = Omit<ModelMessage, 'toolCalls'> & Partial<Pick<ModelMessage, 'toolCalls'>>

/** The calls of a plugin. Each rejects with the reason that users would see. */
export type PluginTestCalls = {
  isHealthy(): Promise<boolean>
  /** Never rejects. `reason` is what the model would read. */
  callTool(
    name: string,
    args?: unknown,
    options?: CallOptions
  ): Promise<{ ok: true; result: unknown } | { ok: false; reason: string }>
  sendEvent<Name extends HookName>(
    type: Name,
    payload: HookPayloads[Name],
    options?: CallOptions & { agentName?: string }
  ): Promise<{ action: 'continue' } | { action: 'cancel' } | { action: 'modify'; payload: unknown }>
  complete(
    request: Partial<Omit<ModelRequest, 'messages'>> & { messages?: TestMessage[] },
    options?: Omit<CallOptions, 'callId'>
  ): AsyncIterable<ModelPart>
  /** Renders a view and reads its components. */
  render(view: string, params?: Record<string, string>, options?: ViewCallOptions): Promise<ReadComponent[]>
  /** Sends a request to a route. `json` of the response is undefined if its body is not JSON. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: ViewCallOptions & {
      json?: unknown
      body?: string | Uint8Array
      query?: Record<string, string>
      headers?: Record<string, string>
    }
  ): Promise<{ status: number; headers: Record<string, string>; body: Uint8Array; json: unknown }>
  /** Opens a stream, sends messages, and returns the texts that the plugin sends. */
  stream(
    messages: AsyncIterable<string> | Iterable<string>,
    options?: ViewCallOptions & { userEmail?: string }
  ): AsyncIterable<string>
}
