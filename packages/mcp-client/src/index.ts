export { withMcp } from './client.ts'
export type {
  McpAnswers,
  McpConnection,
  McpPrompt,
  McpResource,
  McpResult
} from './contract.ts'
export { capabilities, questionsOf } from './questions.ts'
