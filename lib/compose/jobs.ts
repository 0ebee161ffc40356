import { deleteExpiredSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { deliver, enqueueOverdue } from '#lib/deliveries/deliver.ts'
import { runDeadlineJob, settleOverdueCalls, warnOfDeadline } from '#lib/engine/calls/deadline.ts'
import { requeueRunnable } from '#lib/engine/worker/requeue-runnable.ts'
import type { Runner } from '#lib/engine/worker/runner.ts'
import { enqueueOverdueAlarms, fireAlarm } from '#lib/features/alarms/fire-alarm.ts'
import { deleteOldAttempts } from '#lib/features/connections/attempt.ts'
import { endMcpSessions } from '#lib/features/connections/mcp/end-sessions.ts'
import { enqueueOverduePolls, pollDevice } from '#lib/features/connections/poll-device.ts'
import { reencryptSecrets } from '#lib/features/connections/reencrypt.ts'
import { compactMessages } from '#lib/features/data/compact-messages.ts'
import { deleteSnapshots } from '#lib/features/data/delete-snapshots.ts'
import { deleteWorkspaces } from '#lib/features/data/delete-workspaces.ts'
import { expireSessions } from '#lib/features/data/expire-sessions.ts'
import { reconcileSubAgent } from '#lib/features/delegation/reconcile-sub-agent.ts'
import { deleteOrphans, reconcileSubAgents } from '#lib/features/delegation/reconcile-sub-agents.ts'
import { reportToParent } from '#lib/features/delegation/report-to-parent.ts'
import { expireOob, expireOverdueOob } from '#lib/features/out-of-band/expire.ts'
import { reencryptNamedSecrets } from '#lib/features/secrets/read-secrets.ts'
import { sendCallOpened } from '#lib/features/webhooks/announce.ts'
import type { JobHandlers, MinuteHandlers } from '#lib/infra/queue/worker.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { reencryptProviders } from '#lib/models/read-models.ts'
import { deleteUnsentFiles } from '#lib/sessions/files/forget-files.ts'
import { retryOverdue, runScheduledRetry } from '#lib/sessions/retry-turn.ts'

/** Returns the handler of each job. A job only checks stored state, so it can run late, twice or never. */
export const jobs = (ctx: Ctx, runner: Runner): JobHandlers => ({
  wake: ({ sessionKey }) => runner.wake(sessionKey),
  deadline: payload => runDeadlineJob(ctx, payload),
  warn: payload => warnOfDeadline(ctx, payload),
  retry: payload => runScheduledRetry(ctx, payload),
  announce: payload => sendCallOpened(ctx, payload),
  deliver: ({ deliveryId }) => deliver(ctx, deliveryId),
  poll: payload => pollDevice(ctx, payload),
  'expire-oob': payload => expireOob(ctx, payload),
  alarm: payload => fireAlarm(ctx, payload),
  spawn: payload => reconcileSubAgent(ctx, payload),
  report: payload => reportToParent(ctx, payload),
  orphans: payload => deleteOrphans(ctx, payload)
})

/** Returns the jobs that run every minute: they find work whose notification was lost, and clean up. */
export const minuteJobs = (ctx: Ctx): MinuteHandlers => ({
  'requeue-runnable': () => requeueRunnable(ctx),
  'meet-late-deadlines': () => settleOverdueCalls(ctx),
  'retry-late': () => retryOverdue(ctx),
  'ring-pending-deliveries': () => enqueueOverdue(ctx),
  'expire-out-of-band': () => expireOverdueOob(ctx),
  compact: () => compactMessages(ctx),
  'expire-sessions': () => expireSessions(ctx),
  'delete-snapshots': () => deleteSnapshots(ctx),
  'delete-workspaces': () => deleteWorkspaces(ctx),
  'forget-attempts': () => deleteOldAttempts(ctx),
  'forget-unsent-files': () => deleteUnsentFiles(ctx),
  'forget-sign-ins': () => deleteExpiredSignIns(ctx),
  'poll-late': () => enqueueOverduePolls(ctx),
  'fire-late': () => enqueueOverdueAlarms(ctx),
  'mend-sub-agents': () => reconcileSubAgents(ctx),
  'end-mcp-sessions': () => endMcpSessions(ctx),
  'reseal-connections': () => reencryptSecrets(ctx),
  'reseal-secrets': () => reencryptNamedSecrets(ctx),
  'reseal-models': () => reencryptProviders(ctx)
})
