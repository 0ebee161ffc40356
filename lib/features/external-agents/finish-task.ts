import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { CallbackReceipt, TaskOutput } from '@waystation/protocol/external-agent/callback.ts'
import { storable } from '#db/client.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { inAgentSession, type VerifiedRequest } from './agent-session.ts'
import { appendReply, closeReplies } from './append-reply.ts'
import { checkKey } from './receive-callback.ts'
import { auditReply, replyMetadata } from './reply-metadata.ts'
import { clearStatus } from './status-line.ts'
import { openTask } from './task.ts'

/**
 * Ends the task of a sub-agent that is external (001-16). The output is shown as the last reply and becomes the result
 * of the parent's call. A job settles that call (`features/delegation/report-to-parent.ts`), because no transaction
 * locks two sessions. With a `key`, retries return the same receipt.
 *
 * @throws ApiError `CONFLICT` if the session is no sub-agent's, or its task has ended; otherwise as `receiveCallback`
 */
export async function finishTask(request: VerifiedRequest, body: TaskOutput): Promise<CallbackReceipt> {
  checkKey(request)
  const { target, about } = request
  const output = redacted(target.ctx, 'reply', storable(outputOf(body)))
  return inAgentSession(request, async (tx, session, { credential }) => {
    const previousReceipt = await findReceipt<CallbackReceipt>(tx, session, 'finish', about.key, { output })
    if (previousReceipt !== undefined) return previousReceipt
    if ((await openTask(tx, session)) === undefined) throw nothingToFinish(session)
    await closeReplies(tx, session)
    const reply = { text: textOfOutput(output), fileIds: [] }
    const { messageId } = await appendReply(tx, session, reply, replyMetadata(target))
    const receipt: CallbackReceipt = { ok: true, messageId }
    await clearStatus(tx, session)
    await storeReceipt(tx, session, 'finish', about.key, { output }, receipt)
    await storeReceipt(tx, session, 'task', 'finished', {}, { output })
    await auditReply(tx, target, credential, messageId)
    await notifyParent(tx, session)
    return receipt
  })
}

function outputOf({ output }: TaskOutput): unknown {
  if (output === undefined) throw invalid('The body needs the field "output".', { output: 'is required' })
  if (output === null || (typeof output === 'string' && output.trim() === ''))
    throw new ApiError('EMPTY_MESSAGE', 'The output is empty. Send the result as text or JSON.')
  return output
}

const textOfOutput = (output: unknown): string =>
  typeof output === 'string' ? output.trimEnd() : `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``

const nothingToFinish = ({ parentKey }: LockedSession): ApiError =>
  new ApiError(
    'CONFLICT',
    parentKey === null
      ? 'This session is not the work of a sub-agent, so you cannot finish it. Send replies to the callbackUrl.'
      : 'This task has already ended, and its result cannot change. Send further replies to the callbackUrl.'
  )
