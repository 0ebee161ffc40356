import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import { FinalAnswer } from '@waystation/protocol/session/summary-tool.ts'
import type { Tool } from './tool.ts'

/**
 * Ends the turn with its argument as the answer (001-20). The step shows the answer as its text, and the result starts
 * no further step.
 */
export const summary: Tool<FinalAnswer, string> = {
  name: summaryTool,
  description:
    'Give your final answer and finish. The user reads the answer as your message, so do not also write it as text. Other calls in the same step still run.',
  input: FinalAnswer,
  where: 'server',
  title: () => 'Final answer',
  timeout: 10,
  repeatable: true,
  execute: async () => 'The user has received your answer.'
}
