import { inTransaction } from '#db/transaction.ts'
import { copyAuthors } from '#lib/engine/context/authors.ts'
import { keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Branched, BranchSession } from '#lib/protocol/session/turn-action.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { copyFiles } from '#lib/sessions/files/copy-files.ts'
import { copyCalls } from './copy-calls.ts'
import { copyEntries } from './copy-entries.ts'
import { copyMessages } from './copy-messages.ts'
import { noteTurn } from './note-turn.ts'
import { turnAt } from './turn-at.ts'

/**
 * Makes a session whose conversation is a copy of this one up to and with a turn: what people see, what the model is
 * shown, and on what it runs (pin, overlay, who speaks, out-of-band policy, declared tools, end user). This one is not touched. What
 * still waits here is settled there as not carried over; deliveries, alarms, tokens and what waits in the queue stay
 * here. Of the two heads only this one is waited for: nobody else knows the other yet. The same key again answers the
 * same branch.
 */
export async function branchSession(ctx: Ctx, input: BranchSession): Promise<Branched> {
  const { key, sessionId, messageId } = input
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    const known = await knownReceipt<Branched>(tx, head, 'branch', key, { messageId })
    if (known !== undefined) return known
    const { from, to } = await turnAt(tx, head, messageId)
    if (to === null && head.turnId !== null)
      throw new Refusal(
        'SESSION_BUSY',
        'The agent is still working on this turn. Wait until it is done, or branch at an earlier turn.'
      )
    const { title, subject } = await originOf(tx, head)
    const made = await createSession(tx, {
      agentId: head.agentId,
      title: titleOf(title),
      ...(subject === null ? {} : { subject })
    })
    const branch = await lockSession(tx, made.sessionId)
    await append(tx, branch, [{ type: 'session', title: branch.title }])
    await copyEntries(tx, { from: head.sessionKey, to: branch.sessionKey, until: to })
    const last = await copyMessages(tx, branch, { from: head.sessionKey, until: to })
    await copyFiles(tx, branch, { key: head.sessionKey, id: head.sessionId })
    await copyCalls(tx, branch, head.sessionKey)
    await copyAuthors(tx, { from: head.sessionKey, to: branch.sessionKey })
    await tx.sql`
      update sessions b set branched_from = ${sessionId}, branched_at = ${last}, pinned_revision = o.pinned_revision, overlay = o.overlay,
        handed_to = o.handed_to, handed = o.handed, oob_policy = o.oob_policy,
        client_tools = o.client_tools, snippet = o.snippet
      from sessions o where o.key = ${head.sessionKey} and b.key = ${branch.sessionKey}`
    const [first] = await tx.sql<{ id: string }[]>`
      select id from messages where session_key = ${head.sessionKey} and pos >= ${from} order by pos limit 1`
    await noteTurn(tx, head, 'session.branched', first?.id ?? messageId)
    const answer: Branched = { sessionId: made.sessionId, agentId: made.agentId, title: branch.title }
    await keepReceipt(tx, head, 'branch', key, { messageId }, answer)
    return answer
  })
}

type Origin = { title: string; subject: string | null }

async function originOf(tx: Ctx, head: LockedSession): Promise<Origin> {
  const [row] = await tx.sql<Origin[]>`
    select title, subject from sessions where key = ${head.sessionKey}`
  if (row === undefined) throw new Error(`Session ${head.sessionId} has a head but is not stored.`)
  return row
}

const prefix = 'Branch of '
const titleOf = (title: string): string =>
  title.startsWith(prefix) ? title : `${prefix}${title === '' ? 'an untitled session' : title}`.slice(0, 200)
