import { ApiError } from '@waystation/base/api-error.ts'
import type { AnsweredCalls } from '@waystation/protocol/call/call.ts'
import type { AnswerCalls } from '@waystation/protocol/session/session.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Gives several calls the same answer, one after the other. Each is checked, stored and attributed like a single answer,
 * in its own transaction. An error of one call does not stop the others.
 */
export async function answerCalls(ctx: Ctx, { calls, ...answer }: AnswerCalls): Promise<AnsweredCalls> {
  const results: AnsweredCalls['results'] = []
  for (const { sessionId, toolCallId, since } of calls) {
    try {
      const { state } = await answerCall(ctx, { sessionId, toolCallId, since, answer })
      results.push({ sessionId, toolCallId, state })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { code, message, extra } = error
      results.push({ sessionId, toolCallId, error: { ...extra, error: message, code } })
    }
  }
  return { results }
}
