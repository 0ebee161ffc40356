export type { Approve, Ask, CallView, Connect, Form, OpenedCall } from './agent-calls.ts'
export {
  type AgentSession,
  cancelCall,
  type GrowingReply,
  type ReplyOptions,
  waitForCall
} from './agent-session.ts'
export { type AnswerOptions, type AnswerResult, answer } from './answer.ts'
export type { Delivery, OtherMessage, SentFile, UserMessage } from './delivery.ts'
export {
  type AgentHandler,
  type DeliveryStore,
  type ExternalAgentOptions,
  externalAgent
} from './external-agent.ts'
export type { CallOutcome, StoredCall, ToolStore } from './run-once.ts'
export { type Later, type Result, type ToolContext, ToolError } from './run-tool.ts'
export { ServerError } from './send.ts'
export type { Secret } from './signature.ts'
export { type ToolHandler, type ToolOptions, tool } from './tool.ts'
export type { ToolCall } from './tool-call.ts'
export type { Definition } from './tool-definition.ts'
