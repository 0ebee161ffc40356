import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { CallbackReceipt } from '@waystation/protocol/external-agent/callback.ts'
import { storable } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { appendReply, closeReplies } from './append-reply.ts'
import type { AuthenticatedReply } from './authenticate-reply.ts'
import { auditReply, lockTarget, replyMetadata, signedTarget } from './reply-session.ts'
import { checkCredentials, withCurrentSecrets } from './reply-target.ts'
import { openTask } from './task.ts'

/**
 * Ends the task of a sub-agent that is external (001-16). The output is shown as the last reply and becomes the result
 * of the parent's call. A job settles that call (`features/delegation/report-to-parent.ts`), because no transaction
 * locks two sessions. With a `key`, retries return the same receipt.
 *
 * @param text the body as it was sent, for the signature
 * @param body the same body, parsed: `{output}`, text or JSON
 * @throws ApiError `CONFLICT` if the session is no sub-agent's, or its task has ended; otherwise as `receiveCallback`
 */
export async function finishTask(
  authenticated: AuthenticatedReply,
  text: string,
  body: unknown
): Promise<CallbackReceipt> {
  const { credentials, about } = authenticated
  const target = signedTarget(authenticated, text)
  const output = redacted(target.ctx, 'reply', storable(outputOf(body)))
  return inTransaction(target.ctx, async tx => {
    const session = await lockTarget(tx, target)
    const credential = checkCredentials(await withCurrentSecrets(tx, session, target), credentials, text)
    const previousReceipt = await findReceipt<CallbackReceipt>(tx, session, 'finish', about.key, { output })
    if (previousReceipt !== undefined) return previousReceipt
    if ((await openTask(tx, session)) === undefined) throw nothingToFinish(session)
    await closeReplies(tx, session)
    const { messageId } = await appendReply(tx, session, textOfOutput(output), replyMetadata(target))
    const receipt: CallbackReceipt = { ok: true, messageId }
    await storeReceipt(tx, session, 'finish', about.key, { output }, receipt)
    await storeReceipt(tx, session, 'task', 'finished', {}, { output })
    await auditReply(tx, target, credential, messageId)
    await notifyParent(tx, session)
    return receipt
  })
}

function outputOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('output' in body))
    throw invalid('The body must be a JSON object with the field "output".', { output: 'is required' })
  const { output } = body
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
