import { ApiError } from '@waystation/base/api-error.ts'
import type { ModelMessage } from 'ai'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RedactKind } from '#lib/kernel/ports/redaction.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { withoutFiles } from './without-files.ts'

/** Replaces text that cannot be redacted. */
export const notRedactedText = 'This text could not be redacted and was not stored.'

/** Returns a message in stored form: without files and with all text redacted. */
export function storedMessage(ctx: Ctx, message: ModelMessage): unknown {
  const plain = withoutFiles(message) as Fields
  if (ctx.ports.redaction === undefined) return plain
  try {
    return { ...plain, content: storedContent(ctx, kinds[message.role], plain.content) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { role: message.role, content: notRedactedText }
  }
}

type Fields = Record<string, unknown>

const kinds: Record<ModelMessage['role'], RedactKind> = {
  system: 'message',
  user: 'message',
  assistant: 'model',
  tool: 'tool-result'
}

/** Redacts all fields of a part except its type and IDs, which this server creates. */
function storedContent(ctx: Ctx, kind: RedactKind, content: unknown): unknown {
  if (!Array.isArray(content)) return redacted(ctx, kind, content)
  return content.map((part: Fields) => {
    const { type, toolCallId, toolName, output, ...text } = part
    const ids = { type, toolCallId, toolName }
    return {
      ...Object.fromEntries(Object.entries(ids).filter(([name]) => name in part)),
      ...redacted(ctx, kind, text),
      ...(output === undefined ? {} : { output: storedOutput(ctx, kind, output as Fields) })
    }
  })
}

const storedOutput = (ctx: Ctx, kind: RedactKind, { type, ...text }: Fields): Fields => ({
  type,
  ...redacted(ctx, kind, text)
})
