import { hash } from 'node:crypto'
import type { PromptState } from '@waystation/protocol/session/prompt.ts'
import type { ModelMessage } from 'ai'
import type postgres from 'postgres'
import { json } from '#db/client.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { AssembledPrompt } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { overlap } from './overlap.ts'
import { notRedactedText, storedMessage } from './stored-message.ts'

/**
 * The maximum number of rows from which a prompt is rebuilt, and the number of characters that is always
 * permitted.
 */
const limits = { rows: 250, chars: 16_000 }

/**
 * The prompt of a session's last committed step, as this process remembers it. The next prompt refers to its
 * messages instead of repeating them. `whole` and `since`: characters of the chain's first row, which is
 * complete, and of the rows after it.
 */
export type LastPrompt = {
  id: number
  messages: readonly unknown[]
  /** True if `messages` were read from the database and so are already in stored form. */
  stored: boolean
  instructions: Part
  tools: Part
  whole: number
  since: number
  rows: number
}

/**
 * A text that is stored once per session: the digest of the model's version, if known, and of the stored version. The
 * texts themselves (10 KB and more) are not cached, because a process remembers the last prompts of many sessions.
 */
type Part = { source?: string; digest: string }

/**
 * A row for a prompt. `cuts` is the session's count of cuts when its context was read. If it has changed, the
 * prompt is not stored.
 */
export type PromptRow = {
  base: number | null
  skipped: number
  kept: number
  rest: string
  round: number
  messages: number
  states: PromptState[]
  instructions: string
  tools: string
  /** The parts that are not stored yet: JSON by digest. */
  parts: readonly (readonly [digest: string, content: string])[]
  cuts: number
}

/**
 * Converts the prompt of a step to a row. The row contains only the messages after those shared with the last
 * prompt. It contains all messages if the starts differ or the chain of rows is too long. Files are left out,
 * and all text has passed the operator's redaction.
 *
 * @param tools JSON: the definitions of the tools that the model received
 */
export function promptRow(
  ctx: Ctx,
  prompt: AssembledPrompt,
  { tools, round, cuts }: { tools: string; round: number; cuts: number },
  last: LastPrompt | undefined
): { row: PromptRow; last: (id: number) => LastPrompt } {
  const { messages, states } = prompt
  const { skipped, same } = overlap(
    last === undefined ? [] : comparableMessages(ctx, messages, last),
    last?.messages ?? []
  )
  const added = last === undefined || same === 0 ? undefined : storedJson(ctx, messages.slice(same))
  const isIncremental =
    last !== undefined &&
    added !== undefined &&
    last.rows < limits.rows &&
    last.since + added.length <= Math.max(last.whole, limits.chars)
  const rest = isIncremental ? added : storedJson(ctx, messages)

  const parts: [string, string][] = []
  const partOf = (text: string, previous: Part | undefined, content: () => string): Part => {
    const source = sha256(text)
    if (previous?.source === source) return previous
    const stored = content()
    const digest = sha256(stored)
    if (digest !== previous?.digest) parts.push([digest, stored])
    return { source, digest }
  }
  const instructions = partOf(prompt.instructions, last?.instructions, () =>
    json(redactedOr(ctx, 'message', prompt.instructions, notRedactedText))
  )
  const toolsPart = partOf(tools, last?.tools, () => json(JSON.parse(tools)))
  return {
    row: {
      base: isIncremental ? last.id : null,
      skipped: isIncremental ? skipped : 0,
      kept: isIncremental ? same : 0,
      rest,
      round,
      messages: messages.length,
      states,
      instructions: instructions.digest,
      tools: toolsPart.digest,
      parts,
      cuts
    },
    last: id => ({
      id,
      messages,
      stored: false,
      instructions,
      tools: toolsPart,
      whole: isIncremental ? last.whole : rest.length,
      since: isIncremental ? last.since + rest.length : 0,
      rows: isIncremental ? last.rows + 1 : 1
    })
  }
}

/**
 * Returns the SQL that stores a prompt, as part of the statement that commits the step, so that it costs no
 * round trip. It follows a `with` clause. The caller holds the session's lock.
 */
export const storePromptSql = (
  { sql }: Ctx,
  { sessionKey, turnId }: LockedSession,
  {
    id,
    messageId,
    tokens,
    estimated,
    error = null
  }: {
    id: number
    messageId: string
    tokens: number
    estimated: number
    error?: { code: string; message: string } | null
  },
  row: PromptRow | undefined
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
          instructions, tools, states, error, created_at)
        select key, ${id}, ${row.base}, ${row.skipped}, ${row.kept}, ${row.rest}::text::json, ${turnId}, ${messageId}, ${row.round},
          ${row.messages}, ${tokens}, ${estimated}, ${row.instructions}, ${row.tools}, ${row.states}::json,
          ${error}::jsonb, clock_timestamp()
        from sessions where key = ${sessionKey} and context_cuts = ${row.cuts}
      )`

const partsJson = ({ parts }: PromptRow): string =>
  `[${parts.map(([digest, content]) => `{"digest":"${digest}","content":${content}}`).join(',')}]`

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

const comparableMessages = (
  ctx: Ctx,
  messages: readonly ModelMessage[],
  { stored }: LastPrompt
): readonly unknown[] => (stored ? (JSON.parse(storedJson(ctx, messages)) as unknown[]) : messages)

/** Returns messages in stored form, as JSON. */
const storedJson = (ctx: Ctx, messages: readonly ModelMessage[]): string =>
  json(messages.map(message => storedMessage(ctx, message)))
