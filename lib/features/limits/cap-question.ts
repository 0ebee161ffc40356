import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { CapScope } from '@waystation/protocol/call/spending.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Question, ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { capMessage } from './cap-message.ts'

/** The answer policy at a cap: members with these roles, but never an end user or the holder of a link. */
const mayContinue: Record<CapScope, AnswerPolicy> = {
  session: { roles: ['owner', 'editor', 'operator'], links: false },
  subject: { roles: ['owner', 'editor', 'operator'], links: false },
  workspace: { roles: ['owner', 'editor'], links: false }
}

/** Returns the question that a session asks at a cap. Its deadline is the end of the cap's day or month. */
export async function capQuestion(tx: Ctx, session: LockedSession, reached: ReachedCap): Promise<Question> {
  return {
    reason: capMessage(reached, await isReadByEndUser(tx, session)),
    cap: reached.cap,
    answer: mayContinue[reached.cap.scope],
    deadlineSeconds: Math.max(1, Math.ceil(reached.secondsLeft))
  }
}

/** Returns whether an end user can read the session: it is theirs, or a session token exists for it. */
async function isReadByEndUser(tx: Ctx, session: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ read: boolean }[]>`
    select s.subject is not null or exists (select from session_tokens where session_key = s.key) as read
    from sessions s where s.key = ${session.sessionKey}`
  return row?.read ?? false
}
