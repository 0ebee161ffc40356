import { notFound } from '@waystation/base/api-error.ts'
import type { InPrompt, StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { overlap } from './overlap.ts'
import { rebuildPrompt } from './rebuild-prompt.ts'
import { stepUsage } from './step-usage.ts'

type Row = Omit<StoredPrompt, 'messages' | 'same' | 'previous' | 'next' | 'error'> & {
  error: StoredPrompt['error'] | null
  base: number | null
  kept: number
  previous: number | null
  next: number | null
}

/**
 * Returns the full prompt of a step. `same` is the number of messages at its start that the
 * previous prompt has too.
 */
export async function getPrompt(ctx: Ctx, { sessionId, promptId }: InPrompt): Promise<StoredPrompt> {
  const key = await sessionKeyOf(ctx, sessionId)
  const [stored] = await ctx.sql<Row[]>`
    select p.id as prompt_id, p.turn_id, p.message_id, p.round, p.created_at as at, p.tokens,
      ${stepUsage(ctx)}, p.estimated, p.states, p.error, p.base, p.kept, i.content as instructions, t.content as tools,
      (select max(id) from prompts where session_key = ${key} and id < ${promptId}) as previous,
      (select min(id) from prompts where session_key = ${key} and id > ${promptId}) as next
    from prompts p
    join prompt_parts i on i.session_key = p.session_key and i.digest = p.instructions
    join prompt_parts t on t.session_key = p.session_key and t.digest = p.tools
    where p.session_key = ${key} and p.id = ${promptId}`
  if (stored === undefined) throw notFound('prompt', String(promptId))
  const { base, kept, previous, next, error, ...row } = stored
  const messages = await rebuildPrompt(ctx, key, promptId)
  const comparedOverlap = async () =>
    previous === null ? 0 : overlap(messages, await rebuildPrompt(ctx, key, previous)).same
  return {
    ...row,
    ...(error === null ? {} : { error }),
    messages,
    same: base !== null && base === previous ? kept : await comparedOverlap(),
    ...(previous === null ? {} : { previous }),
    ...(next === null ? {} : { next })
  }
}
