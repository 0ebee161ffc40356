export { endMcpSession, withMcp } from './client.ts'
export type {
  McpAnswers,
  McpConnection,
  McpPrompt,
  McpResource,
  McpResult,
  McpSession
} from './contract.ts'
export { SessionForgotten } from './contract.ts'
export { capabilities, questionsOf } from './questions.ts'
