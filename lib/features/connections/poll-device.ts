import { ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import { providerOf } from '#lib/features/connections/providers/provider-of.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import { named } from './account-of.ts'
import { expireAttempt, latePolls, pollAgain, takePoll } from './device.ts'
import { integrationFor } from './integration.ts'
import { ringPoll } from './ring-poll.ts'
import { settleConnect } from './settle-connect.ts'
import { inWorkspaceOf } from './visit-connect.ts'

/**
 * Polls a provider once to check whether the user has entered and approved the code (RFC 8628, 3.4). Its
 * answer ends the attempt. Without an answer, the next poll is scheduled. If the poll is not due or another
 * process has claimed it, does nothing.
 */
export async function pollDevice(ctx: Ctx, { attemptId }: { attemptId: string }): Promise<void> {
  const poll = await takePoll(ctx, attemptId)
  if (poll === undefined) return
  const { attempt, deviceCode } = poll
  const tx = inWorkspaceOf(ctx, attempt)
  try {
    const integration = await integrationFor(tx, attempt.integration)
    const from = await providerOf(tx, integration)
    const answer = await from.redeemCode(deviceCode)
    if (answer === 'authorization_pending')
      return await ringPoll(tx, attemptId, await pollAgain(tx, attemptId))
    if (answer === 'slow_down')
      return await ringPoll(tx, attemptId, await pollAgain(tx, attemptId, 'by five seconds'))
    if (answer === 'expired_token') return await expireAttempt(tx, attemptId)
    const granted = await named(tx, integration, attempt.scopes, answer)
    await settleConnect(tx, attempt, { granted, from })
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    if (error.again) return ringPoll(tx, attemptId, await pollAgain(tx, attemptId, 'twice'))
    log('warn', 'connecting an account failed', {
      integration: attempt.integration,
      because: error.message
    })
    await settleConnect(tx, attempt, { refused: error.message })
  }
}

/** Enqueues overdue polls again, each as its own job, so that one that fails does not delay the others. */
export async function pollLate(ctx: Ctx): Promise<void> {
  for (const attemptId of await latePolls(ctx)) await ringPoll(ctx, attemptId, 0)
}
