export type { AgentsClient } from './agents.ts'
export type { Calls } from './api.ts'
export type { Backoff } from './backoff.ts'
export { type ClientOptions, createClient, type WaystationClient } from './client.ts'
export type { ConnectionsClient } from './connections.ts'
export { type ErrorCode, WaystationError } from './error.ts'
export type { EventsOptions } from './events.ts'
export type {
  Compaction,
  FilePart,
  Handoff,
  HookPoint,
  HookRun,
  JsonObject,
  JsonValue,
  Notice,
  ReasoningPart,
  SourceDocumentPart,
  SourceUrlPart,
  StepStartPart,
  TextPart,
  ToolPart
} from './message.ts'
export type { components, operations, paths } from './openapi.ts'
export type { SendOptions, SessionClient, TellOptions, UploadOptions } from './session.ts'
export type * from './types.ts'
export type { WebhooksClient } from './webhooks.ts'
