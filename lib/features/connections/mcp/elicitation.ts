import { invalid } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import type { Answer, Answered } from '@waystation/protocol/call/call.ts'
import {
  type Elicited,
  type ElicitedReply,
  type ElicitHint,
  elicitHintOf
} from '@waystation/protocol/call/elicitation.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { SchemaCheck } from '#lib/engine/calls/check-ahead.ts'
import type { ServerQuestion } from '#lib/engine/calls/extensions.ts'
import type { Settlement } from '#lib/engine/calls/settle.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type PendingQuestion = { call: CallRow; hint: ElicitHint }

/** Returns the question of an MCP server that a call asks, or undefined for any other call. */
function pendingQuestionOf(call: CallRow): PendingQuestion | undefined {
  // Other calls contain only text of agents, and they do not run again.
  if (call.kind !== 'question' || call.where !== 'server') return undefined
  const hint = elicitHintOf(call)
  return hint && { call, hint }
}

/**
 * Handles an answer to an earlier question of a call that now asks another one. Returns the receipt if it
 * repeats the stored answer, or `lost` if it differs. Undefined: the answer is to the current question.
 */
function answeredBefore({ call, hint }: PendingQuestion, answer: Answer): Answered | 'lost' | undefined {
  const { question } = answer as { question?: string }
  if (question === undefined || question === hint.question) return undefined
  const previous = call.elicited?.find(entry => entry.question === question)
  if (previous === undefined)
    throw invalid(
      'This call does not ask that question. The question that it asks is in `render.question`.',
      {
        question: `must be ${hint.question}`
      }
    )
  const reply = replyOf(answer)
  return reply !== undefined && digestOf(reply) === digestOf(previous.reply)
    ? { toolCallId: call.toolCallId, state: 'approved' }
    : 'lost'
}

/**
 * Returns the settlement for an answer to a server's question: the call runs again with all answers so far.
 * If the user declined, the server receives that as the answer. An output must name its question, because the call may
 * already ask another one.
 */
async function settlementFor(
  ctx: Ctx,
  { call, hint }: PendingQuestion,
  answer: Answer,
  check: SchemaCheck
): Promise<Pick<Settlement, 'state' | 'result' | 'reason' | 'elicited'>> {
  const reply = replyOf(answer)
  if (reply === undefined)
    throw invalid('This call asks a question: send {"output": {…}, "question": "…"} or {"declined": true}.')
  if (reply.action === 'accept' && (answer as { question?: string }).question === undefined)
    throw invalid('The field "question" is missing. Set it to the question that you answer.', {
      question: `must be ${hint.question}`
    })
  const { reason } = answer as { reason?: string }
  const entry: Elicited = {
    question: hint.question,
    reply:
      reply.action === 'accept'
        ? { action: 'accept', content: await validatedContent(ctx, call, reply.content, check) }
        : reply
  }
  return {
    state: 'approved',
    result: null,
    elicited: [...(call.elicited ?? []), entry],
    ...(reason === undefined ? {} : { reason })
  }
}

function replyOf(answer: Answer): ElicitedReply | undefined {
  if ('declined' in answer) return { action: 'decline' }
  return 'output' in answer
    ? { action: 'accept', content: answer.output as Record<string, unknown> }
    : undefined
}

async function validatedContent(
  ctx: Ctx,
  call: CallRow,
  content: unknown,
  check: SchemaCheck
): Promise<Record<string, unknown>> {
  const checked = await check(ctx, call.outputSchema, content)
  if (checked.ok) return checked.value as Record<string, unknown>
  throw invalid('The answer does not match the schema of this call. The call is still open.', checked.fields)
}

/** Returns a call's question in the form that the engine needs, or undefined for any other call. */
export function questionOf(call: CallRow): ServerQuestion | undefined {
  const pending = pendingQuestionOf(call)
  return (
    pending && {
      answeredBefore: answer => answeredBefore(pending, answer),
      settlement: (tx, answer, check) => settlementFor(tx, pending, answer, check)
    }
  )
}
