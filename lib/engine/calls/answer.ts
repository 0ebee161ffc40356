import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { identityOf, isOwn, mayEdit } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { Answer, Answered, CallResult, CallState, Via } from '#lib/protocol/call/call.ts'
import type { AnswerCall } from '#lib/protocol/session/session.ts'
import { checkMayAnswer } from './answerers.ts'
import { bringsWords } from './brings-words.ts'
import type { CallRow } from './call-row.ts'
import { type Check, checkAhead } from './check-ahead.ts'
import { saidOfConnection } from './connection-call.ts'
import { settleExpired } from './deadline.ts'
import { declinedResult } from './declared-outcome.ts'
import { reopenForFulfilment } from './reopen-call.ts'
import { lockCall, type Settlement, settle } from './settle.ts'

/** The most an answer may be, in bytes of JSON (api.md). */
const maxBytes = 1024 * 1024

/**
 * Answers an open call: checked against the call's own frozen schema, exactly once. The same answer again gets the same
 * reply; another one is `ALREADY_SETTLED` and names the winner. At or past the deadline this very transaction settles
 * the declared outcome, and the answer has lost. Who may not answer it, by the policy it opened with, is `FORBIDDEN`,
 * whatever became of it. What does not fit changes nothing: `422`, and the call is still open.
 */
export async function answerCall(ctx: Ctx, input: AnswerCall & { via?: Via }): Promise<Answered> {
  return answerChecked(ctx, await checkAnswer(ctx, input))
}

/** An answer that can be stored, and what its check found. */
export type CheckedAnswer = AnswerCall & { via?: Via; check: Check }

/** What of an answer is checked before the transaction that takes it. Throws `TOO_LARGE`. */
export async function checkAnswer(ctx: Ctx, input: AnswerCall & { via?: Via }): Promise<CheckedAnswer> {
  const answer = redactedAnswer(ctx, storable(input.answer) as Answer)
  if (Buffer.byteLength(JSON.stringify(answer)) > maxBytes)
    throw new Refusal('TOO_LARGE', 'The answer is larger than 1 MiB. Send a shorter answer.')
  return { ...input, answer, check: await checkAhead(ctx, input, answer) }
}

/** `answerCall` of an answer that was judged before. For a caller with a transaction of its own. */
export async function answerChecked(ctx: Ctx, input: CheckedAnswer): Promise<Answered> {
  const { answer, check } = input
  const lost = await inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const call = await lockCall(tx, head, input.toolCallId)
    if (call === undefined) throw notFound('call', input.toolCallId)
    if (call.kind === 'server') throw notAnswerable()
    checkMayAnswer(tx, call, input.via)
    const digest = digestOf(answer)
    const asking = ctx.ports.calls.questionOf(call)
    const before = asking?.answeredBefore(answer)
    if (before !== undefined) return before === 'lost' ? { winner: sinceWhenApproved(call) } : before
    if (call.state !== 'open') return call.answerDigest === digest ? accepted(call) : { winner: call }
    if (call.isDue) return { winner: await settleExpired(tx, head, call) }
    if ('approved' in answer && wasPassedOn(call)) {
      const approved = sinceWhenApproved(call)
      return call.answerDigest === digest ? accepted(approved) : { winner: approved }
    }
    checkMaySpeakFor(ctx, call, answer)
    ctx.ports.calls.checkAnswer(ctx, call, answer, input.via)
    const settlement =
      call.kind === 'connection' && 'output' in answer
        ? await saidOfConnection(tx, head, call, answer.output)
        : asking === undefined
          ? await settlementOf(tx, call, answer, check)
          : await asking.settlement(tx, answer, check)
    if ('editedInput' in settlement)
      await tx.ports.calls.checkEdited(tx, head.workspaceId, call, settlement.editedInput)
    // A tool of ours says how it is shown; one that a client declared never does.
    if ('error' in answer && call.kind === 'client' && call.render === null)
      await tx.ports.calls.checkFailure(tx, head, call.toolName, input.clientTools ?? [])
    const answerer = answererOf(ctx, call, input.via)
    const by: Omit<Settlement, keyof typeof settlement> = {
      answeredBy: ctx.actor.name,
      answerer,
      // Another system that answers its own call is a tool, and no person.
      ...(!isOwn(answerer) && bringsWords(call, answer, settlement) ? { saidBy: [answerer] } : {}),
      via: input.via ?? viaOf(ctx),
      digest
    }
    const edited = 'editedInput' in settlement ? settlement.editedInput : undefined
    await tx.ports.calls.onAnswered(tx, head, call, answer, edited)
    if (settlement.state === 'approved' && call.where !== 'server' && call.kind === 'approval') {
      await reopenForFulfilment(tx, head, call, { ...settlement, ...by })
      return { toolCallId: call.toolCallId, state: 'approved' as const }
    }
    const settled = await settle(tx, head, call, { ...settlement, ...by })
    return settled === undefined ? { winner: call } : accepted(settled)
  })
  if (!('winner' in lost)) return lost
  throw alreadySettled(lost.winner)
}

/** Which question it answers is our own word, and stays as it is. */
function redactedAnswer(ctx: Ctx, answer: Answer): Answer {
  const kept = redacted(ctx, 'answer', answer)
  return 'question' in answer && answer.question !== undefined
    ? ({ ...kept, question: answer.question } as Answer)
    : kept
}

/** Its approval is over, and it waits for whoever fulfils it (`reopen-call.ts`): another approval has lost. */
const wasPassedOn = (call: CallRow): boolean => call.kind !== 'approval' && call.answerDigest !== null

/** As it was when what it waits for now was not asked yet. */
const sinceWhenApproved = (call: CallRow): CallRow => ({
  ...call,
  state: 'approved',
  settledAt: call.since
})

const accepted = (call: CallRow): Answered => ({ toolCallId: call.toolCallId, state: call.state })

/**
 * Who answered. An editor's key speaks for the end user whose account the call uses; whoever has a link is nobody that is known.
 */
function answererOf({ actor }: Ctx, { accountOf }: CallRow, via: Via | undefined): Identity {
  if (via === 'link') return { id: 'link:', name: actor.name }
  const speaksFor = actor.kind === 'key' && mayEdit(actor) && accountOf?.id.startsWith('subject:')
  return speaksFor && accountOf ? { id: accountOf.id, name: accountOf.name } : identityOf(actor)
}

const viaOf = ({ actor }: Ctx): Via =>
  actor.kind === 'person' ? 'page' : actor.kind === 'subject' ? 'token' : 'api'

/** An end user may decline what another system was asked, but never speaks for that system. */
function checkMaySpeakFor(ctx: Ctx, call: CallRow, answer: Answer): void {
  const isAnothers = call.kind === 'external' || call.kind === 'agent'
  if (ctx.actor.kind === 'subject' && isAnothers && ('output' in answer || 'error' in answer))
    throw new Refusal(
      'FORBIDDEN',
      'Only an external tool or a sub-agent can answer this call. The call is still open, and you can decline it.'
    )
}

export const notAnswerable = (): Refusal =>
  new Refusal('NOT_ANSWERABLE', 'The server runs this call itself, so it cannot be answered.')

export function alreadySettled(call: CallRow): Refusal {
  const at = call.settledAt ?? new Date().toISOString()
  const by = call.answeredBy === null || call.state === 'expired' ? '' : ` by ${call.answeredBy}`
  return new Refusal(
    'ALREADY_SETTLED',
    `This call ${became[call.state]}${by} at ${at}. Your answer was not used.`,
    {
      winner: { state: call.state, at, ...(call.answeredBy === null ? {} : { answeredBy: call.answeredBy }) }
    }
  )
}

const became: Record<CallState, string> = {
  open: 'is being answered',
  answered: 'was already answered',
  approved: 'was already approved',
  denied: 'was already denied',
  declined: 'was already declined',
  expired: 'expired',
  cancelled: 'was canceled',
  failed: 'was already settled'
}

/** What an answer makes of this call, by its kind; a form that does not fit the kind is refused. */
async function settlementOf(
  ctx: Ctx,
  call: CallRow,
  answer: Answer,
  check: Check
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
      result: null,
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

/** Edited arguments are checked by the tool's own schema; both versions are kept. Unchanged ones are no edit. */
async function editOf(
  ctx: Ctx,
  call: CallRow,
  input: unknown,
  check: Check
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
