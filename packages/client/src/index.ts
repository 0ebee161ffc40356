export type { AgentsClient } from './agents.ts'
export { type Backoff, jitter, rest } from './backoff.ts'
export type { Callable, CallInput, CallOperation, Operation, Result, UrlInput } from './call.ts'
export type { CatalogueClient } from './catalogue.ts'
export { type ClientOptions, createClient, type WaystationClient } from './client.ts'
export type { ConnectionsClient } from './connections.ts'
export { endpoints } from './endpoints.ts'
export { type ErrorCode, WaystationError } from './error.ts'
export type { EventsOptions } from './follow.ts'
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
export { newKey } from './new-key.ts'
export type { components, operations } from './openapi.ts'
export type { SendOptions, SessionClient, TellOptions, UploadOptions } from './session.ts'
export type * from './types.ts'
export type { WebhooksClient } from './webhooks.ts'
