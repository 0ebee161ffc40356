import { forgetSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { deliver, ringPending } from '#lib/deliveries/deliver.ts'
import { meetDeadline, meetLateDeadlines, warnOfDeadline } from '#lib/engine/calls/deadline.ts'
import { compactMessages } from '#lib/engine/context/compact-messages.ts'
import { requeueRunnable } from '#lib/engine/worker/requeue-runnable.ts'
import type { Runner } from '#lib/engine/worker/runner.ts'
import { fireAlarm, fireLate } from '#lib/features/alarms/fire-alarm.ts'
import { forgetAttempts } from '#lib/features/connections/attempt.ts'
import { pollDevice, pollLate } from '#lib/features/connections/poll-device.ts'
import { resealConnections } from '#lib/features/connections/reseal.ts'
import { expireSessions } from '#lib/features/data/expire-sessions.ts'
import { reconcileSubAgent } from '#lib/features/delegation/reconcile-sub-agent.ts'
import { reconcileSubAgents, removeOrphans } from '#lib/features/delegation/reconcile-sub-agents.ts'
import { reportToParent } from '#lib/features/delegation/report-to-parent.ts'
import { expireLateOob, expireOob } from '#lib/features/out-of-band/expire.ts'
import { announceCall } from '#lib/features/webhooks/announce.ts'
import type { JobHandlers, MinuteHandlers } from '#lib/infra/queue/worker.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { forgetUnsentFiles } from '#lib/sessions/files/forget-files.ts'
import { retryDue, retryLate } from '#lib/sessions/retry-turn.ts'

/** Returns the handler of each job. A job only checks stored state, so it can run late, twice or never. */
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
  spawn: payload => reconcileSubAgent(ctx, payload),
  report: payload => reportToParent(ctx, payload),
  orphans: payload => removeOrphans(ctx, payload)
})

/** Returns the jobs that run every minute: they find work whose notification was lost, and clean up. */
export const minuteJobs = (ctx: Ctx): MinuteHandlers => ({
  'requeue-runnable': () => requeueRunnable(ctx),
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
  'mend-sub-agents': () => reconcileSubAgents(ctx),
  'reseal-connections': () => resealConnections(ctx)
})
