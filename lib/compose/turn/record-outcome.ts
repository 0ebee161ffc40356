import { recordCall } from '#lib/engine/calls/claim.ts'
import { suspendCall } from '#lib/engine/calls/suspend-call.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { FinishedCall } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { forConnection, forConsent, forQuestion } from './suspensions.ts'

/** Records what a claimed call came to; of one that lacks an account, or whose server asks something, that it waits for that. */
export async function recordOutcome(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  outcome: ToolOutcome,
  duration?: number
): Promise<void> {
  switch (outcome.type) {
    case 'connect':
      return suspendCall(ctx, lease, toolCallId, forConnection(outcome.ask))
    case 'consent':
      return suspendCall(ctx, lease, toolCallId, forConsent(outcome.ask))
    case 'ask':
      return askOrFail(ctx, lease, toolCallId, outcome)
  }
  const { result, ...more } = recordOf(ctx, { toolCallId, outcome, duration })
  await recordCall(ctx, lease, toolCallId, result, more)
}

/** What is stored of a call that has a result. */
export function recordOf(
  ctx: Ctx,
  { toolCallId, outcome, duration }: FinishedCall
): { toolCallId: string; result: CallResult; tokens: number; duration: number | undefined } {
  const result = storableResult(ctx, outcome)
  return { toolCallId, result, tokens: countTokens(JSON.stringify(result)), duration }
}

/** Asks what a tool's server asks, as it may be stored; what cannot be redacted is not asked. */
async function askOrFail(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  { ask, answer }: Extract<ToolOutcome, { type: 'ask' }>
): Promise<void> {
  const kept = redactedOr<typeof ask | undefined>(ctx, 'tool-result', ask, undefined)
  const [fault] = await ctx.ports.schemas.faultsOf(
    [ask.schema],
    `${ctx.workspaceId} session:${lease.sessionKey}`
  )
  if (kept !== undefined && fault === null) {
    // It was made of the words as they came, and names of fields stay.
    const { question, order, schema } = ask
    const { required } = schema
    const named = required === undefined ? kept.schema : { ...kept.schema, required }
    await suspendCall(
      ctx,
      lease,
      toolCallId,
      forQuestion({ ...kept, schema: named, question, order }, answer)
    )
    return
  }
  const text =
    kept === undefined
      ? 'The MCP server asked a question that could not be redacted, so it was not shown.'
      : `The MCP server asked a question with a schema that ${fault}, so it was not shown.`
  await recordCall(ctx, lease, toolCallId, { type: 'error', text }, { tokens: countTokens(text) })
}

/** What a tool brought back, as it may be stored; what cannot be redacted is not, and the tool is not run again for it. */
export function storableResult(ctx: Ctx, result: CallResult): CallResult {
  const said = result.type === 'output' ? result.value : result.type === 'error' ? result.text : result.reason
  const unkept = 'The call ran, but its result could not be redacted and was not stored.'
  const failed = Symbol()
  const kept = redactedOr<unknown>(ctx, 'tool-result', said, failed)
  if (kept === failed) return { type: 'error', text: unkept }
  switch (result.type) {
    case 'output':
      return { type: 'output', value: kept }
    case 'error':
      return { type: 'error', text: String(kept) }
    case 'denied':
      return kept === undefined ? result : { type: 'denied', reason: String(kept) }
  }
}
