import { log } from '@waystation/base/log.ts'
import { ProviderError } from '#lib/features/connections/providers/provider.ts'
import { providerOf } from '#lib/features/connections/providers/provider-of.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { withAccountName } from './account-of.ts'
import { claimPoll, expireAttempt, overduePolls, scheduleNextPoll } from './device.ts'
import { enqueuePoll } from './enqueue-poll.ts'
import { integrationFor } from './integration.ts'
import { settleConnect } from './settle-connect.ts'
import { inWorkspaceOf } from './visit-connect.ts'

/**
 * Polls a provider once to check whether the user has entered and approved the code (RFC 8628, 3.4). Its
 * answer ends the attempt. Without an answer, the next poll is scheduled. If the poll is not due or another
 * process has claimed it, does nothing.
 */
export async function pollDevice(ctx: Ctx, { attemptId }: { attemptId: string }): Promise<void> {
  const poll = await claimPoll(ctx, attemptId)
  if (poll === undefined) return
  const { attempt, deviceCode } = poll
  const tx = inWorkspaceOf(ctx, attempt)
  try {
    const integration = await integrationFor(tx, attempt.integration)
    const from = await providerOf(tx, integration)
    const answer = await from.redeemCode(deviceCode)
    if (answer === 'authorization_pending')
      return await enqueuePoll(tx, attemptId, await scheduleNextPoll(tx, attemptId))
    if (answer === 'slow_down')
      return await enqueuePoll(tx, attemptId, await scheduleNextPoll(tx, attemptId, 'by five seconds'))
    if (answer === 'expired_token') return await expireAttempt(tx, attemptId)
    const granted = await withAccountName(tx, integration, attempt.scopes, answer)
    await settleConnect(tx, attempt, { granted, from })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.again) return enqueuePoll(tx, attemptId, await scheduleNextPoll(tx, attemptId, 'twice'))
    log('warn', 'connecting an account failed', {
      integration: attempt.integration,
      because: error.message
    })
    await settleConnect(tx, attempt, { refused: error.message })
  }
}

/** Enqueues overdue polls again, each as its own job, so that one that fails does not delay the others. */
export async function enqueueOverduePolls(ctx: Ctx): Promise<void> {
  for (const attemptId of await overduePolls(ctx)) await enqueuePoll(ctx, attemptId, 0)
}
