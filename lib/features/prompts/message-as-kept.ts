import type { ModelMessage } from 'ai'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type RedactKind, redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { withoutFiles } from './without-files.ts'

/** In the place of words that cannot be redacted. */
export const unredacted = 'This text could not be redacted and was not stored.'

/** A message of a prompt as it may be kept: without its files, and with every text in it past the operator's redaction. */
export function messageAsKept(ctx: Ctx, message: ModelMessage): unknown {
  const plain = withoutFiles(message) as Fields
  if (ctx.ports.redaction === undefined) return plain
  try {
    return { ...plain, content: contentAsKept(ctx, kinds[message.role], plain.content) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { role: message.role, content: unredacted }
  }
}

type Fields = Record<string, unknown>

const kinds: Record<ModelMessage['role'], RedactKind> = {
  system: 'message',
  user: 'message',
  assistant: 'model',
  tool: 'tool-result'
}

/** Of a part all but what says which it is: the kinds and IDs are ours. */
function contentAsKept(ctx: Ctx, kind: RedactKind, content: unknown): unknown {
  if (!Array.isArray(content)) return redacted(ctx, kind, content)
  return content.map((part: Fields) => {
    const { type, toolCallId, toolName, output, ...words } = part
    const named = { type, toolCallId, toolName }
    return {
      ...Object.fromEntries(Object.entries(named).filter(([name]) => name in part)),
      ...redacted(ctx, kind, words),
      ...(output === undefined ? {} : { output: outputAsKept(ctx, kind, output as Fields) })
    }
  })
}

const outputAsKept = (ctx: Ctx, kind: RedactKind, { type, ...words }: Fields): Fields => ({
  type,
  ...redacted(ctx, kind, words)
})
