import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { Check } from '#lib/engine/calls/check-ahead.ts'
import type { ServerQuestion } from '#lib/engine/calls/extensions.ts'
import type { Settlement } from '#lib/engine/calls/settle.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import type { Answer, Answered } from '#lib/protocol/call/call.ts'
import {
  type Elicited,
  type ElicitedReply,
  type ElicitHint,
  elicitHintOf
} from '#lib/protocol/call/elicitation.ts'

type Asking = { call: CallRow; hint: ElicitHint }

/** What a call asks whose server wants to know something of a person before it goes on; undefined: it is no such call. */
function elicitingOf(call: CallRow): Asking | undefined {
  // Others bring the words of their agents, and nothing of theirs is run again.
  if (call.kind !== 'question' || call.where !== 'server') return undefined
  const hint = elicitHintOf(call)
  return hint && { call, hint }
}

/**
 * What became of an answer to an earlier question of the same call, which asks another one by now: its receipt when it was
 * this very answer, `lost` when it was another. Undefined: it answers what is asked now.
 */
function answeredBefore({ call, hint }: Asking, answer: Answer): Answered | 'lost' | undefined {
  const { question } = answer as { question?: string }
  if (question === undefined || question === hint.question) return undefined
  const before = call.elicited?.find(one => one.question === question)
  if (before === undefined)
    throw invalid(
      'This call does not ask that question. The question that it asks is in `render.question`.',
      {
        question: `must be ${hint.question}`
      }
    )
  const reply = replyOf(answer)
  return reply !== undefined && digestOf(reply) === digestOf(before.reply)
    ? { toolCallId: call.toolCallId, state: 'approved' }
    : 'lost'
}

/**
 * What the answer to a server's question makes of its call: it is run again with all that was answered, a no as well, which
 * the server hears as one. An output names its question: the same words may come twice, and another question be asked by then.
 */
async function saidToServer(
  ctx: Ctx,
  { call, hint }: Asking,
  answer: Answer,
  check: Check
): Promise<Pick<Settlement, 'state' | 'result' | 'reason' | 'elicited'>> {
  const reply = replyOf(answer)
  if (reply === undefined)
    throw invalid('This call asks a question: send {"output": {…}, "question": "…"} or {"declined": true}.')
  if (reply.action === 'accept' && (answer as { question?: string }).question === undefined)
    throw invalid('The field "question" is missing. Set it to the question that you answer.', {
      question: `must be ${hint.question}`
    })
  const { reason } = answer as { reason?: string }
  const kept: Elicited = {
    question: hint.question,
    reply:
      reply.action === 'accept'
        ? { action: 'accept', content: await fitting(ctx, call, reply.content, check) }
        : reply
  }
  return {
    state: 'approved',
    result: null,
    elicited: [...(call.elicited ?? []), kept],
    ...(reason === undefined ? {} : { reason })
  }
}

function replyOf(answer: Answer): ElicitedReply | undefined {
  if ('declined' in answer) return { action: 'decline' }
  return 'output' in answer
    ? { action: 'accept', content: answer.output as Record<string, unknown> }
    : undefined
}

async function fitting(
  ctx: Ctx,
  call: CallRow,
  content: unknown,
  check: Check
): Promise<Record<string, unknown>> {
  const checked = await check(ctx, call.outputSchema, content)
  if (checked.ok) return checked.value as Record<string, unknown>
  throw invalid('The answer does not match the schema of this call. The call is still open.', checked.fields)
}

/** The question of a call, as the engine asks for it. */
export function questionOf(call: CallRow): ServerQuestion | undefined {
  const asking = elicitingOf(call)
  return (
    asking && {
      answeredBefore: answer => answeredBefore(asking, answer),
      settlement: (tx, answer, check) => saidToServer(tx, asking, answer, check)
    }
  )
}
