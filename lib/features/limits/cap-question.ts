import type { ReachedCap } from '#lib/engine/limits/extensions.ts'
import type { Question } from '#lib/engine/limits/turn-limit.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AnswerPolicy } from '#lib/protocol/call/answerers.ts'
import type { CapScope } from '#lib/protocol/call/spending.ts'
import { capWords } from './cap-words.ts'

/** Who may continue: never an end user, whoever lets one in, or who has no role here. */
const mayContinue: Record<CapScope, AnswerPolicy> = {
  session: { roles: ['owner', 'editor', 'operator'], links: false },
  subject: { roles: ['owner', 'editor', 'operator'], links: false },
  workspace: { roles: ['owner', 'editor'], links: false }
}

/** What is asked at a cap. The question ends with the cap's day or month. */
export async function capQuestion(tx: Ctx, head: LockedSession, reached: ReachedCap): Promise<Question> {
  return {
    reason: capWords(reached, await isReadByEndUser(tx, head)),
    cap: reached.cap,
    answer: mayContinue[reached.cap.scope],
    deadlineSeconds: Math.max(1, Math.ceil(reached.secondsLeft))
  }
}

/** It is an end user's session, or one has a token to it. */
async function isReadByEndUser(tx: Ctx, head: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ read: boolean }[]>`
    select s.subject is not null or exists (select from session_tokens where session_key = s.key) as read
    from sessions s where s.key = ${head.sessionKey}`
  return row?.read ?? false
}
