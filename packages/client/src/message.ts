/**
 * Messages and the chunks that write them, in the shapes of the AI SDK's `UIMessage` and `UIMessageChunk`. The
 * generated types insert the shapes of the server (`Shapes`).
 */

/** A value that JSON can contain. */
export type JsonValue = null | string | number | boolean | JsonObject | JsonValue[]
export type JsonObject = { [key: string]: JsonValue | undefined }

/** Data that a model provider added, by the name of the provider. */
type Provided = { providerMetadata?: Record<string, JsonObject> }

/** The shapes of the server that messages contain. */
type Shapes = { metadata: object; outOfBand: object; delivery: object }

/** The text of a user or an agent. */
export type TextPart = Provided & { type: 'text'; text: string; state?: 'streaming' | 'done' }
/** The model's reasoning. */
export type ReasoningPart = Provided & { type: 'reasoning'; text: string; state?: 'streaming' | 'done' }
/** A file. `url` is a `data:` URL, or the path of a file that was uploaded to the session. */
export type FilePart = Provided & { type: 'file'; mediaType: string; filename?: string; url: string }
/** A page that the agent used. */
export type SourceUrlPart = Provided & { type: 'source-url'; sourceId: string; url: string; title?: string }
/** A document that the agent used. */
export type SourceDocumentPart = Provided & {
  type: 'source-document'
  sourceId: string
  mediaType: string
  title: string
  filename?: string
}
/** The start of a step, which is one model call with its tool calls. */
export type StepStartPart = { type: 'step-start' }

/** A tool call. `type` contains the tool's name, and `toolCallId` is also the ID of the call in `calls`. */
export type ToolPart = {
  type: `tool-${string}`
  toolCallId: string
  title?: string
  providerExecuted?: boolean
} & (
  | { state: 'input-streaming'; input?: unknown }
  | { state: 'input-available'; input: unknown }
  | { state: 'output-available'; input: unknown; output: unknown; preliminary?: boolean }
  | { state: 'output-error'; input: unknown; errorText: string }
)

/** An entry of the transcript that the agent did not write. */
export type Notice =
  | { kind: 'restarted'; partialText: string; seconds: number }
  | { kind: 'stopped'; by: 'person' | 'interrupt' }
  | { kind: 'failed'; code: string; message: string; retryable: boolean; retryAt?: string; turnId: string }
  | { kind: 'limit'; message: string }

/** A point of a turn where plugins run. */
export type HookPoint =
  | 'onMessage'
  | 'onStatus'
  | 'beforeTurn'
  | 'beforeRound'
  | 'beforeModel'
  | 'onChunk'
  | 'afterModel'
  | 'beforeTool'
  | 'beforeHandOff'
  | 'afterTool'
  | 'onRound'
  | 'onTurn'

/** A plugin changed or canceled something, or failed. `ms` is its duration in milliseconds. */
export type HookRun = {
  plugin: string
  point: HookPoint
  outcome: 'changed' | 'cancelled' | 'failed'
  words?: string
  startedAt: string
  ms: number
}

/** The session was handed off to another agent. */
export type Handoff = {
  from: string
  fromName: string
  to: string
  toName: string
  by: { kind: 'agent' } | { kind: 'plugin' | 'person'; name: string }
  reason?: string
  at: string
}

/** Old messages left the model's context, and a summary replaced them. */
export type Compaction = {
  compactionId: string
  messages: number
  tokensBefore: number
  tokensAfter: number
  madeBy: 'model' | 'words'
  model?: string
  problem?: string
  summary: string
  at: string
  ms: number
}

type DataOf<S extends Shapes> = {
  notice: Notice
  oob: S['outOfBand']
  'committed-revision': { variantId: string; revisionId: string; version: number }
  hook: HookRun
  handoff: Handoff
  compaction: Compaction
  delivery: S['delivery']
}
type DataPart<Data> = {
  [Name in keyof Data & string]: { type: `data-${Name}`; id?: string; data: Data[Name] }
}[keyof Data & string]

/** A part of a message. Its `type` tells which. */
export type MessagePartOf<S extends Shapes> =
  | TextPart
  | ReasoningPart
  | FilePart
  | SourceUrlPart
  | SourceDocumentPart
  | StepStartPart
  | ToolPart
  | DataPart<DataOf<S>>

export type MessageOf<S extends Shapes> = {
  id: string
  role: 'system' | 'user' | 'assistant'
  metadata?: S['metadata']
  parts: MessagePartOf<S>[]
}

type ToolChunk = {
  toolCallId: string
  toolName: string
  title?: string
  dynamic?: boolean
  providerExecuted?: boolean
} & Provided

/** A chunk of a message that is being written. Its `type` tells which. Ignore unknown types. */
export type ChunkOf<S extends Shapes> =
  | (Provided & { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string })
  | (Provided & { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string })
  | (ToolChunk & { type: 'tool-input-start' })
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | (ToolChunk & { type: 'tool-input-available'; input: unknown })
  | (ToolChunk & { type: 'tool-input-error'; input: unknown; errorText: string })
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | Omit<SourceUrlPart, 'state'>
  | SourceDocumentPart
  | FilePart
  | DataPart<DataOf<S>>
  | { type: 'start'; messageId?: string; messageMetadata?: S['metadata'] }
  | { type: 'message-metadata'; messageMetadata: S['metadata'] }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'finish'; messageMetadata?: S['metadata'] }
  | { type: 'abort'; reason?: string }
  | { type: 'error'; errorText: string }
