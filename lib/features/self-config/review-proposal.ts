import { invalid, notFound } from '@waystation/base/api-error.ts'
import type { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { CommitRevision } from '@waystation/protocol/agent/own-config.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import type { ReviewCall } from '@waystation/protocol/session/session.ts'
import { agentFor } from '#lib/agents/agent-for.ts'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import { redactUrlsFor } from '#lib/agents/redact-urls-for.ts'
import { checkMayAnswer } from '#lib/engine/calls/answerers.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { type LockedSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { checkBySchema } from '#lib/kernel/check-by-schema.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { checkProposal, type Proposal } from './proposal.ts'

/**
 * Returns what an approver's edited version of a proposal would change (002-3), with the checks of the
 * approval itself. Writes nothing. Throws `INVALID_INPUT` for a call of another tool or arguments that cannot
 * be committed, and `CONFLICT` if the base is no longer published. Requires permission to answer the call.
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
  const validated = await checkBySchema(ctx, call.inputSchema, input)
  if (!validated.ok) {
    const [issue] = Object.entries(validated.fields)
    throw invalid(
      `The edited arguments do not match the tool's schema: ${issue?.join(': ') ?? ''}`,
      validated.fields
    )
  }
  const { config, changes, widens } = await checkEditedProposal(ctx, { sessionKey }, call, validated.value)
  const published = await agentFor(ctx, config.agentId)
  return redactUrlsFor(ctx, { changes, widens }, [published, config])
}

/**
 * Checks an approver's edited version of a proposal, whose format is valid. Throws if it cannot be committed. The call
 * stays open.
 */
export async function checkEditedProposal(
  ctx: Ctx,
  { sessionKey }: Pick<LockedSession, 'sessionKey'>,
  { toolCallId }: Pick<CallRow, 'toolCallId'>,
  edited: unknown
): Promise<Proposal> {
  const agentId = await agentOfCall(ctx, sessionKey, toolCallId)
  return checkProposal(ctx, { agentId, sessionKey }, CommitRevision.parse(edited))
}
