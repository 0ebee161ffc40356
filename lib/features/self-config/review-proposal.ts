import { agentFor } from '#lib/agents/agent-for.ts'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import { shownTo } from '#lib/agents/shown-to.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid, notFound } from '#lib/kernel/refusal.ts'
import { checkBy } from '#lib/kernel/schemas/check-by-schema.ts'
import type { Comparison } from '#lib/protocol/agent/agent-revision.ts'
import { CommitRevision, commitRevisionTool } from '#lib/protocol/agent/own-config.ts'
import type { ReviewCall } from '#lib/protocol/session/session.ts'
import { proposalOf } from './proposal.ts'

/**
 * What an agent's proposal for itself would change as a person has edited it (002-3), judged as it will be when it is
 * approved. Nothing is written. Another tool's call, or arguments that could not be committed: `INVALID_INPUT`, in the
 * words that the agent would be told; a base that is not published any more: `CONFLICT`. For those who may answer it.
 */
export async function reviewProposal(
  ctx: Ctx,
  { sessionId, toolCallId, input }: ReviewCall
): Promise<Comparison> {
  const sessionKey = await sessionKeyOf(ctx, sessionId)
  const [call] = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls where session_key = ${sessionKey} and tool_call_id = ${toolCallId}`
  if (call === undefined) throw notFound('call', toolCallId)
  checkMayAnswer(ctx, call)
  if (call.toolName !== commitRevisionTool)
    throw invalid('Only a change that an agent proposes to its own configuration can be reviewed.')
  const checked = await checkBy(ctx, call.inputSchema, input)
  if (!checked.ok) {
    const [fault] = Object.entries(checked.fields)
    throw invalid(
      `The edited arguments do not match the tool's schema: ${fault?.join(': ') ?? ''}`,
      checked.fields
    )
  }
  const agentId = await agentOfCall(ctx, sessionKey, toolCallId)
  const { config, changes, widens } = await proposalOf(
    ctx,
    { agentId, sessionKey },
    CommitRevision.parse(checked.value)
  )
  const published = await agentFor(ctx, agentId)
  return shownTo(ctx, { changes, widens }, [published, config])
}
