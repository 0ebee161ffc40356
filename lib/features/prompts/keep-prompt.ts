import { createHash } from 'node:crypto'
import type { ModelMessage } from 'ai'
import type postgres from 'postgres'
import { json } from '#db/client.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { AssembledPrompt } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import type { PromptState } from '#lib/protocol/session/prompt.ts'
import { messageAsKept, unredacted } from './message-as-kept.ts'
import { overlap } from './overlap.ts'

/** Rows that a prompt is put together from, at most; and up to so many characters they may always be. */
const most = { rows: 250, chars: 16_000 }

/**
 * The prompt that a session's last committed step had, as this process remembers it: what the next one begins with is only
 * referred to. `chars` and `rows`: of what it is put together from, in its whole one (`whole`) and since.
 */
export type LastKept = {
  id: number
  messages: readonly unknown[]
  /** The messages are as they are kept: they were read back. */
  stored: boolean
  instructions: Part
  tools: Part
  whole: number
  since: number
  rows: number
}

/** A text of which one copy is kept: as the model got it (where that is known), and the digest of how it is kept. */
type Part = { text?: string; digest: string }

/** A prompt as its row is to be. `cuts`: as the session's window was read; nothing is kept of what was cut since. */
export type PromptToKeep = {
  base: number | null
  skipped: number
  kept: number
  rest: string
  round: number
  messages: number
  states: PromptState[]
  instructions: string
  tools: string
  /** Those that are not there yet: JSON by digest. */
  parts: readonly (readonly [digest: string, content: string])[]
  cuts: number
}

/**
 * Makes of the prompt of a step the row that keeps it: of the messages those behind the ones that it has in common with the last one,
 * or all, when it begins otherwise, or when it would be put together from too much. Files are left out, and everything in
 * it has passed the operator's redaction.
 *
 * @param tools JSON: the definitions of the tools that the model was told of
 */
export function promptToKeep(
  ctx: Ctx,
  prompt: AssembledPrompt,
  { tools, round, cuts }: { tools: string; round: number; cuts: number },
  last: LastKept | undefined
): { row: PromptToKeep; last: (id: number) => LastKept } {
  const { messages, states } = prompt
  const { skipped, same } = overlap(
    last === undefined ? [] : comparable(ctx, messages, last),
    last?.messages ?? []
  )
  const added = last === undefined || same === 0 ? undefined : asKept(ctx, messages.slice(same))
  const leans =
    last !== undefined &&
    added !== undefined &&
    last.rows < most.rows &&
    last.since + added.length <= Math.max(last.whole, most.chars)
  const rest = leans ? added : asKept(ctx, messages)

  const parts: [string, string][] = []
  const partOf = (text: string, known: Part | undefined, content: () => string): Part => {
    if (known?.text === text) return known
    const stored = content()
    const digest = createHash('sha256').update(stored).digest('base64url')
    if (digest !== known?.digest) parts.push([digest, stored])
    return { text, digest }
  }
  const said = partOf(prompt.instructions, last?.instructions, () =>
    json(redactedOr(ctx, 'message', prompt.instructions, unredacted))
  )
  const told = partOf(tools, last?.tools, () => json(JSON.parse(tools)))
  return {
    row: {
      base: leans ? last.id : null,
      skipped: leans ? skipped : 0,
      kept: leans ? same : 0,
      rest,
      round,
      messages: messages.length,
      states,
      instructions: said.digest,
      tools: told.digest,
      parts,
      cuts
    },
    last: id => ({
      id,
      messages,
      stored: false,
      instructions: said,
      tools: told,
      whole: leans ? last.whole : rest.length,
      since: leans ? last.since + rest.length : 0,
      rows: leans ? last.rows + 1 : 1
    })
  }
}

/**
 * What keeps it, as parts of the statement that commits the step (`with … , ` goes before, the statement itself behind):
 * nothing more is sent for it. The head is locked.
 */
export const keeping = (
  { sql }: Ctx,
  { sessionKey, turnId }: LockedSession,
  { id, messageId, tokens, estimated }: { id: number; messageId: string; tokens: number; estimated: number },
  row: PromptToKeep | undefined
): postgres.PendingQuery<postgres.Row[]> =>
  row === undefined
    ? sql``
    : sql`
      , parts as (
        insert into prompt_parts (session_key, digest, content)
        select ${sessionKey}, digest, content
        from json_to_recordset(${partsJson(row)}::text::json) as p(digest text, content json)
        on conflict do nothing
      ), kept as (
        insert into prompts (session_key, id, base, skipped, kept, rest, turn_id, message_id, round, messages, tokens, estimated,
          instructions, tools, states, created_at)
        select key, ${id}, ${row.base}, ${row.skipped}, ${row.kept}, ${row.rest}::text::json, ${turnId}, ${messageId}, ${row.round},
          ${row.messages}, ${tokens}, ${estimated}, ${row.instructions}, ${row.tools}, ${row.states}::json,
          clock_timestamp()
        from sessions where key = ${sessionKey} and context_cuts = ${row.cuts}
      )`

const partsJson = ({ parts }: PromptToKeep): string =>
  `[${parts.map(([digest, content]) => `{"digest":"${digest}","content":${content}}`).join(',')}]`

const comparable = (ctx: Ctx, messages: readonly ModelMessage[], { stored }: LastKept): readonly unknown[] =>
  stored ? (JSON.parse(asKept(ctx, messages)) as unknown[]) : messages

/** Messages as they are kept, as JSON. */
const asKept = (ctx: Ctx, messages: readonly ModelMessage[]): string =>
  json(messages.map(message => messageAsKept(ctx, message)))
