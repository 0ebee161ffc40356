import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Answer, Answered, CallResult, CallState, Via } from '@waystation/protocol/call/call.ts'
import type { AnswerCall } from '@waystation/protocol/session/session.ts'
import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { canEdit, identityOf, isOwn } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { checkMayAnswer } from './answerers.ts'
import type { CallRow } from './call-row.ts'
import { carriesAuthorText } from './carries-author-text.ts'
import { checkAhead, type SchemaCheck } from './check-ahead.ts'
import { settleExpired } from './deadline.ts'
import { declinedResult } from './declared-outcome.ts'
import { reopenForFulfilment } from './reopen-call.ts'
import { lockCall, type Settlement, settle } from './settle.ts'

/** Maximum size of an answer, in bytes of JSON. */
const maxBytes = 1024 * 1024

/**
 * Answers an open call exactly once, after checking the answer against the schema that the call froze when it
 * opened.
 *
 * - The same answer again returns the same response. A different answer throws `ALREADY_SETTLED`, which names
 *   the winner.
 * - At or after the deadline, the same transaction settles the call with its declared outcome, and the answer
 *   throws `ALREADY_SETTLED`.
 * - A caller who is excluded by the call's answer policy gets `FORBIDDEN`, even if the call is already
 *   settled.
 * - An answer that does not match the schema throws `422` and changes nothing. The call stays open.
 */
export async function answerCall(ctx: Ctx, input: AnswerCall & About): Promise<Answered> {
  return answerChecked(ctx, await checkAnswer(ctx, input))
}

/** `since` is when the caller saw the call open. Undefined matches every wait of the call. */
type About = { via?: Via; since?: string | undefined }

/** An answer in the form in which it is stored, with the check for its schema. */
export type CheckedAnswer = AnswerCall & About & { check: SchemaCheck }

/** Redacts an answer and checks it before the transaction that accepts it. Throws `TOO_LARGE`. */
export async function checkAnswer(ctx: Ctx, input: AnswerCall & About): Promise<CheckedAnswer> {
  const answer = redactedAnswer(ctx, storable(input.answer) as Answer)
  if (Buffer.byteLength(JSON.stringify(answer)) > maxBytes)
    throw new ApiError('TOO_LARGE', 'The answer is larger than 1 MiB. Send a shorter answer.')
  return { ...input, answer, check: await checkAhead(ctx, input, answer) }
}

/** Like `answerCall`, for an answer from `checkAnswer`. Use it inside a transaction of your own. */
export async function answerChecked(ctx: Ctx, input: CheckedAnswer): Promise<Answered> {
  const { answer, check } = input
  const outcome = await inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const call = await lockCall(tx, session, input.toolCallId)
    if (call === undefined) throw notFound('call', input.toolCallId)
    if (call.kind === 'server') throw notAnswerable()
    checkMayAnswer(tx, call, input.via)
    const digest = digestOf(answer)
    const question = ctx.ports.calls.questionOf(call)
    const earlier = question?.answeredBefore(answer)
    if (earlier !== undefined) return earlier === 'lost' ? { winner: asApproved(call) } : earlier
    if (call.state !== 'open' && call.answerDigest !== digest) return { winner: call }
    // The approved call can have been stopped since.
    if (call.state !== 'open')
      return accepted('approved' in answer && answer.approved ? asApproved(call) : call)
    if (call.isDue) return { winner: await settleExpired(tx, session, call) }
    if ('approved' in answer && isReopened(call)) {
      const approved = asApproved(call)
      return call.answerDigest === digest ? accepted(approved) : { winner: approved }
    }
    if ((input.since ?? call.since) !== call.since)
      throw new ApiError('CONFLICT', 'This call now waits for something else. Look at it again.')
    checkMaySpeakFor(ctx, call, answer)
    ctx.ports.calls.checkAnswer(ctx, call, answer, input.via)
    const settlement =
      call.kind === 'connection' && 'output' in answer
        ? await tx.ports.calls.connectionSettlement(tx, session, call, answer.output)
        : question === undefined
          ? await settlementOf(tx, call, answer, check)
          : await question.settlement(tx, answer, check)
    if ('editedInput' in settlement)
      await tx.ports.calls.checkEdited(tx, session, call, settlement.editedInput)
    // Only server-defined tools have a `render` hint. A null hint means that a client declared the tool.
    if ('error' in answer && call.kind === 'client' && call.render === null)
      await tx.ports.calls.checkFailure(tx, session, call.toolName, input.clientTools ?? [])
    const answerer = answererOf(ctx, call, input.via)
    const attribution: Omit<Settlement, keyof typeof settlement> = {
      answeredBy: ctx.actor.name,
      answerer,
      // An external agent that answers its own call is a tool, not an author.
      ...(!isOwn(answerer) && carriesAuthorText(call, answer, settlement) ? { saidBy: [answerer] } : {}),
      via: input.via ?? viaOf(ctx),
      digest
    }
    const edited = 'editedInput' in settlement ? settlement.editedInput : undefined
    await tx.ports.calls.onAnswered(tx, session, call, answer, edited)
    if (settlement.state === 'approved' && settlement.result === null && call.where !== 'server') {
      await reopenForFulfilment(tx, session, call, { ...settlement, ...attribution })
      return { toolCallId: call.toolCallId, state: 'approved' as const }
    }
    const settled = await settle(tx, session, call, { ...settlement, ...attribution })
    return settled === undefined ? { winner: call } : accepted(settled)
  })
  if (!('winner' in outcome)) return outcome
  throw alreadySettled(outcome.winner)
}

/** Redacts an answer, except for `question`, which is an ID that the server created. */
function redactedAnswer(ctx: Ctx, answer: Answer): Answer {
  const cleaned = redacted(ctx, 'answer', answer)
  return 'question' in answer && answer.question !== undefined
    ? ({ ...cleaned, question: answer.question } as Answer)
    : cleaned
}

/**
 * Tells whether the call was approved and then reopened for the party that fulfills it (`reopen-call.ts`). A
 * second approval then loses.
 */
const isReopened = (call: CallRow): boolean => call.kind !== 'approval' && call.answerDigest !== null

/** Returns a reopened call as it was when it was approved. */
const asApproved = (call: CallRow): CallRow => ({ ...call, state: 'approved', settledAt: call.since })

const accepted = (call: CallRow): Answered => ({ toolCallId: call.toolCallId, state: call.state })

/**
 * Returns the identity that answered. The key of an editor speaks for the end user whose account the call
 * uses. The user of an answer link is unknown.
 */
function answererOf({ actor }: Ctx, { accountOf }: CallRow, via: Via | undefined): Identity {
  if (via === 'link') return { id: 'link:', name: actor.name }
  const speaksFor = actor.kind === 'key' && canEdit(actor) && accountOf?.id.startsWith('subject:')
  return speaksFor && accountOf ? { id: accountOf.id, name: accountOf.name } : identityOf(actor)
}

const viaOf = ({ actor }: Ctx): Via =>
  actor.kind === 'person' ? 'page' : actor.kind === 'subject' ? 'token' : 'api'

/**
 * Throws `FORBIDDEN` if an end user answers in place of an external tool or a sub-agent. An end user can only
 * decline such a call.
 */
function checkMaySpeakFor(ctx: Ctx, call: CallRow, answer: Answer): void {
  const isFulfilledElsewhere = call.kind === 'external' || call.kind === 'agent'
  if (ctx.actor.kind === 'subject' && isFulfilledElsewhere && ('output' in answer || 'error' in answer))
    throw new ApiError(
      'FORBIDDEN',
      'Only an external tool or a sub-agent can answer this call. The call is still open, and you can decline it.'
    )
}

/** Returns the `NOT_ANSWERABLE` error for a server call. */
export const notAnswerable = (): ApiError =>
  new ApiError('NOT_ANSWERABLE', 'The server runs this call itself, so it cannot be answered.')

/** Returns the `ALREADY_SETTLED` error, which names the call's outcome, its time and who answered. */
export function alreadySettled(call: CallRow): ApiError {
  const settledAt = call.settledAt ?? new Date().toISOString()
  const answerer = call.answeredBy === null || call.state === 'expired' ? '' : ` by ${call.answeredBy}`
  return new ApiError(
    'ALREADY_SETTLED',
    `This call ${stateText[call.state]}${answerer} at ${settledAt}. Your answer was not used.`,
    {
      winner: {
        state: call.state,
        at: settledAt,
        ...(call.answeredBy === null ? {} : { answeredBy: call.answeredBy })
      }
    }
  )
}

const stateText: Record<CallState, string> = {
  open: 'is being answered',
  answered: 'was already answered',
  approved: 'was already approved',
  denied: 'was already denied',
  declined: 'was already declined',
  expired: 'expired',
  cancelled: 'was canceled',
  failed: 'was already settled'
}

/**
 * Returns the settlement that an answer leads to. Throws `INVALID_INPUT` if the form of the answer does not fit the
 * kind of call.
 */
async function settlementOf(
  ctx: Ctx,
  call: CallRow,
  answer: Answer,
  check: SchemaCheck
): Promise<{
  state: Settlement['state']
  result: CallResult | null
  reason?: string
  editedInput?: unknown
}> {
  if ('declined' in answer) {
    const result = declinedResult(call, answer.reason)
    return { state: call.kind === 'approval' ? 'denied' : 'declined', result, ...reasonOf(answer) }
  }
  if ('approved' in answer) {
    if (call.kind !== 'approval' && call.kind !== 'limit')
      throw invalid(`A call of the kind "${call.kind}" takes an output, not an approval. Send {"output": …}.`)
    if (!answer.approved)
      return {
        state: 'denied',
        result: declinedResult({ ...call, kind: 'approval' }, answer.reason),
        ...reasonOf(answer)
      }
    if (call.kind === 'limit')
      return { state: 'approved', result: { type: 'output', value: { continue: true } }, ...reasonOf(answer) }
    return {
      state: 'approved',
      result: call.where === 'asker' ? { type: 'output', value: { approved: true } } : null,
      ...reasonOf(answer),
      ...(await editOf(ctx, call, answer.input, check))
    }
  }
  if (call.kind === 'approval' || call.kind === 'limit')
    throw invalid('This call asks for an approval: send {"approved": true} or {"approved": false}.')
  if ('error' in answer)
    return {
      state: 'failed',
      result: { type: 'error', text: answer.error },
      reason: answer.error.slice(0, 4000)
    }
  const checked = await check(ctx, call.outputSchema, answer.output)
  if (!checked.ok)
    throw invalid(
      'The answer does not match the schema of this call. The call is still open.',
      checked.fields
    )
  return { state: 'answered', result: { type: 'output', value: checked.value } }
}

const reasonOf = ({ reason }: { reason?: string | undefined }) => (reason === undefined ? {} : { reason })

/**
 * Checks edited arguments against the tool's own schema. The call stores both versions. Returns nothing if
 * the arguments are unchanged.
 */
async function editOf(
  ctx: Ctx,
  call: CallRow,
  input: unknown,
  check: SchemaCheck
): Promise<{ editedInput?: unknown }> {
  if (input === undefined || digestOf(input) === digestOf(call.input)) return {}
  const checked = await check(ctx, call.inputSchema, input)
  if (!checked.ok)
    throw invalid(
      "The edited arguments do not match the tool's schema. Nothing was approved.",
      checked.fields
    )
  return { editedInput: checked.value }
}
