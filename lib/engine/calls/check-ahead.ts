import { digestOf } from '@waystation/base/digest.ts'
import type { Answer } from '@waystation/protocol/call/call.ts'
import type { InCall } from '@waystation/protocol/session/session.ts'
import { checkBySchema } from '#lib/kernel/check-by-schema.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRow, callColumns } from './call-row.ts'

/** Checks a value against a schema, or returns the result of an earlier identical check. */
export type SchemaCheck = typeof checkBySchema

/**
 * Checks an answer against the schema of its call before the transaction that accepts it. The check can wait
 * for a thread and must not hold the session's lock or a database connection meanwhile. The returned function
 * is for the transaction. It checks again only if the call's schema has changed.
 */
export async function checkAhead(
  ctx: Ctx,
  { sessionId, toolCallId }: InCall,
  answer: Answer
): Promise<SchemaCheck> {
  const isEdit = 'approved' in answer
  const value = 'output' in answer ? answer.output : isEdit ? answer.input : undefined
  if (value === undefined) return checkBySchema
  const [call] = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls where tool_call_id = ${toolCallId} and state = 'open' and session_key = (
      select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and deleted_at is null)`
  const schema = isEdit ? call?.inputSchema : call?.outputSchema
  if (schema === undefined || schema === null) return checkBySchema
  const [digest, checked] = [digestOf(schema), await checkBySchema(ctx, schema, value)]
  return async (ctx, newSchema, newValue) =>
    newValue === value && newSchema !== null && digestOf(newSchema) === digest
      ? checked
      : checkBySchema(ctx, newSchema, newValue)
}
