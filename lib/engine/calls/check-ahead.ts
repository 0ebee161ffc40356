import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { checkBy } from '#lib/kernel/schemas/check-by-schema.ts'
import type { Answer } from '#lib/protocol/call/call.ts'
import type { InCall } from '#lib/protocol/session/session.ts'
import { type CallRow, callColumns } from './call-row.ts'

/** Checks a value by a schema, or says what such a check found before. */
export type Check = typeof checkBy

/**
 * Checks an answer by the schema of its call before the transaction that takes it begins. A check waits for a thread, and must
 * not hold the session's head and a connection to the database meanwhile. The transaction uses the function that is returned:
 * it checks again only if the call has another schema by then.
 */
export async function checkAhead(
  ctx: Ctx,
  { sessionId, toolCallId }: InCall,
  answer: Answer
): Promise<Check> {
  const isEdit = 'approved' in answer
  const value = 'output' in answer ? answer.output : isEdit ? answer.input : undefined
  if (value === undefined) return checkBy
  const [call] = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls where tool_call_id = ${toolCallId} and state = 'open' and session_key = (
      select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and deleted_at is null)`
  const schema = isEdit ? call?.inputSchema : call?.outputSchema
  if (schema === undefined || schema === null) return checkBy
  const [digest, checked] = [digestOf(schema), await checkBy(ctx, schema, value)]
  return async (ctx, again, other) =>
    other === value && again !== null && digestOf(again) === digest ? checked : checkBy(ctx, again, other)
}
