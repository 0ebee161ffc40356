import { FinalAnswer, summaryTool } from '#lib/protocol/summary-tool.ts'
import type { Tool } from './tool.ts'

/** Ends the turn with its argument as the answer (001-20): the step shows it as its text, and its result starts no other step. */
export const summary: Tool<FinalAnswer, string> = {
  name: summaryTool,
  description:
    'Give your final answer and finish. The person reads it as your message, so do not write it beside this call as well. Other calls that you make with it are still carried out.',
  input: FinalAnswer,
  where: 'server',
  title: () => 'Final answer',
  timeout: 10,
  repeatable: true,
  execute: async () => 'The person has read your answer.'
}
