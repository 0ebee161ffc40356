import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { describeResult } from './describe-result.ts'
import type { Part } from './part.ts'
import { isCritical, type Progress } from './progress.ts'
import { acknowledgeTool } from './read-prompt.ts'

/** Returns a call for each new out-of-band message that acknowledges it, if the agent has the tool. */
export function acknowledgments(
  { notices }: Progress,
  tools: readonly LanguageModelV4FunctionTool[],
  continues: boolean
): Part[] {
  if (!tools.some(({ name }) => name === acknowledgeTool)) return []
  return notices.flatMap(notice => {
    if (notice.kind !== 'out-of-band' || !notice.id) return []
    const effect = isCritical(notice)
      ? 'I stop what I was doing.'
      : continues
        ? 'I continue with the request.'
        : 'I have taken note of it.'
    return [{ kind: 'call', tool: acknowledgeTool, input: { id: notice.id, effect } }]
  })
}

/** Returns a sentence after a step that only acknowledged messages, which needs no other reply. */
export function describeAcknowledged({ acknowledged }: Progress, now: number): string | undefined {
  if (acknowledged.length === 0) return undefined
  const failed = acknowledged.find(({ outcome }) => outcome !== 'ok')
  if (failed) return describeResult(failed, now)
  return acknowledged.length === 1 ? 'I acknowledged the message.' : 'I acknowledged the messages.'
}
