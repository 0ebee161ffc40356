import { digestOf } from '@waystation/base/digest.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'

/**
 * Converts a model's call to the call to open. Invalid input becomes a failed call that the model can read. Never
 * throws.
 */
export function toOpening(
  tools: ResolvedTools,
  call: { toolCallId: string; toolName: string; input: unknown; error?: string }
): Opening {
  const { toolCallId, toolName, input } = call
  const tool = tools.get(toolName)
  const unusable = (failed: string): Opening => ({
    toolCallId,
    toolName,
    input,
    kind: 'server',
    where: 'server',
    failed
  })
  if (tool === undefined) return unusable(call.error ?? `There is no tool "${toolName}".`)
  const problem = tool.unavailable ?? call.error
  if (problem !== undefined) return unusable(problem)
  try {
    const title = tool.title(input)
    const outputSchema = tool.outputSchema(input)
    return {
      toolCallId,
      toolName,
      input,
      kind: tool.kind,
      where: tool.where,
      inputSchema: tool.inputSchema,
      toolDigest: toolDigestOf(tool),
      ...(title === undefined ? {} : { title: title.slice(0, 300) }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(tool.url === undefined ? {} : { target: { url: tool.url, retries: tool.retries } }),
      ...(tool.render === undefined ? {} : { render: tool.render }),
      ...(tool.deadlineSeconds === undefined ? {} : { deadlineSeconds: tool.deadlineSeconds }),
      ...(tool.onDeadline === undefined ? {} : { onDeadline: tool.onDeadline }),
      ...(tool.answer === undefined ? {} : { answer: tool.answer }),
      ...(tool.duration === undefined ? {} : { duration: tool.duration }),
      ...(tool.alwaysAsked ? { alwaysAsked: true } : {})
    }
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
}

/** Returns a digest of a tool's definition and where it runs. Approvals are remembered for a digest, not for a name. */
const toolDigestOf = ({ name, description, inputSchema, where, url, address }: ResolvedTool): string =>
  digestOf({
    ...{ name, description, inputSchema, where },
    ...(url === undefined ? {} : { url }),
    ...(address === undefined ? {} : { address })
  })
