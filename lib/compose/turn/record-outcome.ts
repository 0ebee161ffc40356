import type { CallResult } from '@waystation/protocol/call/call.ts'
import { recordCall } from '#lib/engine/calls/claim.ts'
import { suspendCall } from '#lib/engine/calls/suspend-call.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { FinishedCall } from '#lib/engine/turn/turn.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { forConnection, forConsent, forQuestion } from './suspensions.ts'

/**
 * Records the outcome of a claimed call. If the call needs an account, or its MCP server asks a question, the
 * call waits for that instead.
 */
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
  const { result, ...stored } = recordOf(ctx, { toolCallId, outcome, duration })
  await recordCall(ctx, lease, toolCallId, result, stored)
}

/** Returns what to store for a call with a result. */
export function recordOf(
  ctx: Ctx,
  { toolCallId, outcome, duration }: FinishedCall
): { toolCallId: string; result: CallResult; tokens: number; duration: number | undefined } {
  const result = storableResult(ctx, outcome)
  return { toolCallId, result, tokens: countTokens(JSON.stringify(result)), duration }
}

/**
 * Asks the question of a tool's MCP server, redacted for storage. If it cannot be redacted, or its schema is
 * invalid, the call fails.
 */
async function askOrFail(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  { ask, answer }: Extract<ToolOutcome, { type: 'ask' }>
): Promise<void> {
  const redactedAsk = redactedOr<typeof ask | undefined>(ctx, 'tool-result', ask, undefined)
  const [schemaError] = await ctx.ports.schemas.errorsOf(
    [ask.schema],
    `${ctx.workspaceId} session:${lease.sessionKey}`
  )
  if (redactedAsk !== undefined && schemaError === null) {
    // These are made from the original text, and field names are not redacted.
    const { question, order, schema } = ask
    const { required } = schema
    const schemaWithRequired =
      required === undefined ? redactedAsk.schema : { ...redactedAsk.schema, required }
    await suspendCall(
      ctx,
      lease,
      toolCallId,
      forQuestion({ ...redactedAsk, schema: schemaWithRequired, question, order }, answer)
    )
    return
  }
  const text =
    redactedAsk === undefined
      ? 'The MCP server asked a question that could not be redacted, so it was not shown.'
      : `The MCP server asked a question with a schema that ${schemaError}, so it was not shown.`
  await recordCall(ctx, lease, toolCallId, { type: 'error', text }, { tokens: countTokens(text) })
}

/**
 * Returns a tool's result, redacted for storage. If redaction fails, the result is an error and the tool is not
 * run again.
 */
export function storableResult(ctx: Ctx, result: CallResult): CallResult {
  const content =
    result.type === 'output' ? result.value : result.type === 'error' ? result.text : result.reason
  const notStored = 'The call ran, but its result could not be redacted and was not stored.'
  const failed = Symbol()
  const stored = redactedOr<unknown>(ctx, 'tool-result', content, failed)
  if (stored === failed) return { type: 'error', text: notStored }
  switch (result.type) {
    case 'output':
      return { type: 'output', value: stored }
    case 'error':
      return { type: 'error', text: String(stored) }
    case 'denied':
      return stored === undefined ? result : { type: 'denied', reason: String(stored) }
  }
}
