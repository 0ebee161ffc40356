import { forgetSignIns } from '#lib/auth/sign-ins.ts'
import { meetDeadline, meetLateDeadlines, warnOfDeadline } from '#lib/calls/deadline.ts'
import { forgetAttempts } from '#lib/connections/attempt.ts'
import { resealConnections } from '#lib/connections/reseal.ts'
import { announceCall } from '#lib/deliveries/announce.ts'
import { deliver, ringPending } from '#lib/deliveries/deliver.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { compactMessages } from '#lib/messages/compact.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { expireLateOob, expireOob } from '#lib/oob/expire.ts'
import type { JobHandlers, MinuteHandlers } from '#lib/queue/worker.ts'
import { expireSessions } from '#lib/sessions/expire-sessions.ts'
import { fireAlarm, fireLate } from '#lib/sessions/fire-alarm.ts'
import { forgetUnsentFiles } from '#lib/sessions/forget-files.ts'
import { mendSubAgents, removeOrphans } from '#lib/sessions/mend-sub-agents.ts'
import { pollDevice, pollLate } from '#lib/sessions/poll-device.ts'
import { reportChild } from '#lib/sessions/report-child.ts'
import { retryDue, retryLate } from '#lib/sessions/retry-turn.ts'
import { ringOwed } from '#lib/sessions/ring-owed.ts'
import type { Runner } from '#lib/sessions/runner.ts'
import { tendChild } from '#lib/sessions/tend-child.ts'

/** Job name → verb. A job only looks at what is stored and may come late, twice or never. */
export const jobs = (ctx: Ctx, runner: Runner, egress: EgressPolicy): JobHandlers => ({
  wake: ({ sessionKey }) => runner.wake(sessionKey),
  deadline: payload => meetDeadline(ctx, payload),
  warn: payload => warnOfDeadline(ctx, payload),
  retry: payload => retryDue(ctx, payload),
  announce: payload => announceCall(ctx, payload),
  deliver: ({ deliveryId }) => deliver(ctx, egress, deliveryId),
  poll: payload => pollDevice(ctx, payload),
  'expire-oob': payload => expireOob(ctx, payload),
  alarm: payload => fireAlarm(ctx, payload),
  spawn: payload => tendChild(ctx, payload),
  report: payload => reportChild(ctx, payload),
  orphans: payload => removeOrphans(ctx, payload)
})

/** What every minute is for: the safety net under the doorbell, and the log's housekeeping. */
export const minutely = (ctx: Ctx): MinuteHandlers => ({
  'ring-owed': () => ringOwed(ctx),
  'meet-late-deadlines': () => meetLateDeadlines(ctx),
  'retry-late': () => retryLate(ctx),
  'ring-pending-deliveries': () => ringPending(ctx),
  'expire-out-of-band': () => expireLateOob(ctx),
  compact: () => compactMessages(ctx),
  'expire-sessions': () => expireSessions(ctx),
  'forget-attempts': () => forgetAttempts(ctx),
  'forget-unsent-files': () => forgetUnsentFiles(ctx),
  'forget-sign-ins': () => forgetSignIns(ctx),
  'poll-late': () => pollLate(ctx),
  'fire-late': () => fireLate(ctx),
  'mend-sub-agents': () => mendSubAgents(ctx),
  'reseal-connections': () => resealConnections(ctx)
})
