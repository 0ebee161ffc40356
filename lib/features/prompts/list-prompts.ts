import type { ListedPrompt, ListPrompts, PromptPage } from '@waystation/protocol/session/prompt.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { stepUsage } from './step-usage.ts'

/**
 * Returns the prompts of a session's steps, newest first and without their text. `messageId`
 * restricts them to one message.
 */
export async function listPrompts(ctx: Ctx, input: ListPrompts): Promise<PromptPage> {
  const { sessionId, before = null, messageId = null, limit } = input
  const key = await sessionKeyOf(ctx, sessionId)
  const rows = await ctx.sql<(Omit<ListedPrompt, 'error'> & { error: ListedPrompt['error'] | null })[]>`
    select id as prompt_id, turn_id, message_id, round, created_at as at, messages, tokens,
      ${stepUsage(ctx)}, estimated, states, error
    from prompts p
    where session_key = ${key} and (${before}::bigint is null or id < ${before})
      and (${messageId}::text is null or message_id = ${messageId})
    order by id desc limit ${limit + 1}`
  const page = rows
    .slice(0, limit)
    .map(({ error, ...row }) => ({ ...row, ...(error === null ? {} : { error }) }))
  return {
    prompts: page,
    nextBefore: rows.length > limit ? (page.at(-1)?.promptId ?? null) : null
  }
}
