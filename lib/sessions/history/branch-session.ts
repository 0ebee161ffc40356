import { ApiError } from '@waystation/base/api-error.ts'
import type { Branched, BranchSession } from '@waystation/protocol/session/turn-action.ts'
import { inTransaction } from '#db/transaction.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { copyAuthors } from '#lib/sessions/copy-authors.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { copyFiles } from '#lib/sessions/files/copy-files.ts'
import { auditTurn } from './audit-turn.ts'
import { copyCalls } from './copy-calls.ts'
import { copyEntries } from './copy-entries.ts'
import { copyMessages } from './copy-messages.ts'
import { findTurn } from './find-turn.ts'
import { lastWords } from './last-words.ts'

/**
 * Creates a session whose conversation copies this one up to and including a turn. It copies the messages, the model's
 * context and the settings: pin, overlay, speaker, out-of-band policy, declared tools and end user. `pin` replaces the
 * pin, and `trial` makes the branch a trial, as a branch of a trial always is. Open calls are
 * settled in the branch as not copied. Deliveries, alarms, tokens and queued messages are not copied.
 *
 * This session does not change. Locking the new session needs no wait, because it is not visible yet. The same key
 * returns the same branch.
 */
export async function branchSession(
  ctx: Ctx,
  input: BranchSession,
  { pin = null, trial = false }: { pin?: number | null; trial?: boolean } = {}
): Promise<Branched> {
  const { key, sessionId, messageId } = input
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const receipt = await findReceipt<Branched>(tx, session, 'branch', key, { messageId })
    if (receipt !== undefined) return receipt
    const { from, to } = await findTurn(tx, session, messageId)
    if (to === null && session.turnId !== null)
      throw new ApiError(
        'SESSION_BUSY',
        'The agent is still working on this turn. Wait until it is done, or branch at an earlier turn.'
      )
    const { title, subject } = await originOf(tx, session)
    const created = await createSession(tx, {
      agentId: session.agentId,
      title: titleOf(title),
      ...(subject === null ? {} : { subject })
    })
    const branch = await lockSession(tx, created.sessionId)
    append(tx, branch, [{ type: 'session', title: branch.title }])
    await copyEntries(tx, { from: session.sessionKey, to: branch.sessionKey, until: to })
    const last = await copyMessages(tx, branch, { from: session.sessionKey, until: to })
    await copyFiles(tx, branch, { key: session.sessionKey, id: session.sessionId })
    await copyCalls(tx, branch, session.sessionKey)
    await copyAuthors(tx, { from: [session.sessionKey], to: branch.sessionKey })
    await tx.sql`
      update sessions b set branched_from = ${sessionId}, branched_at = ${last}, pinned_revision = coalesce(${pin}, o.pinned_revision),
        trial = o.trial or ${trial}, overlay = o.overlay,
        handed_to = o.handed_to, handed = o.handed, oob_policy = o.oob_policy,
        client_tools = o.client_tools, snippet = ${await lastWords(tx, branch.sessionKey)}
      from sessions o where o.key = ${session.sessionKey} and b.key = ${branch.sessionKey}`
    const [first] = await tx.sql<{ id: string }[]>`
      select id from messages where session_key = ${session.sessionKey} and pos >= ${from} order by pos limit 1`
    await auditTurn(tx, session, 'session.branched', first?.id ?? messageId)
    const answer: Branched = { sessionId: created.sessionId, agentId: created.agentId, title: branch.title }
    await storeReceipt(tx, session, 'branch', key, { messageId }, answer)
    return answer
  })
}

type Origin = { title: string; subject: string | null }

async function originOf(tx: Ctx, session: LockedSession): Promise<Origin> {
  const [row] = await tx.sql<Origin[]>`
    select title, subject from sessions where key = ${session.sessionKey}`
  if (row === undefined) throw new Error(`Session ${session.sessionId} has a head but is not stored.`)
  return row
}

const prefix = 'Branch of '
const titleOf = (title: string): string =>
  title.startsWith(prefix) ? title : `${prefix}${title === '' ? 'an untitled session' : title}`.slice(0, 200)
