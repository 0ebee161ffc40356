import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/**
 * What was answered to this key before, under the head's lock. The same key with another body is `KEY_REUSED` (422).
 * Keys are scoped to workspace, session, generation and verb, and live as long as the session (docs/concepts/engine.md#accepted).
 */
export async function knownReceipt<Receipt>(
  ctx: Ctx,
  head: LockedSession,
  verb: string,
  key: string | undefined,
  body: unknown
): Promise<Receipt | undefined> {
  if (key === undefined) return undefined
  const [row] = await ctx.sql<Kept[]>`
    select digest, receipt::text from receipts
    where session_key = ${head.sessionKey} and generation = ${head.generation} and verb = ${verb} and key = ${key}`
  return row === undefined ? undefined : sameReceipt<Receipt>(row, body)
}

/** Whether this key has a receipt already, without a lock: what it says, and whether for the same, is `knownReceipt`'s to say. */
export async function hasReceipt(
  ctx: Ctx,
  sessionId: string,
  verb: string,
  key: string | undefined
): Promise<boolean> {
  if (key === undefined) return false
  const [row] = await ctx.sql`
    select from receipts r join heads h on h.session_key = r.session_key and h.generation = r.generation
    join sessions s on s.key = r.session_key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId} and r.verb = ${verb} and r.key = ${key}`
  return row !== undefined
}

/** What is kept of an answer: the digest of what was asked for, and the answer as JSON. */
export type Kept = { digest: string; receipt: string }

/** The answer that was kept, if the same was asked for; another body is `KEY_REUSED`. */
export function sameReceipt<Receipt>({ digest, receipt }: Kept, body: unknown): Receipt {
  if (digest === digestOf(body)) return JSON.parse(receipt) as Receipt
  throw new Refusal(
    'KEY_REUSED',
    'This idempotency key was already used with a different body. Use a new key.'
  )
}

/** Keeps what this key was answered, in the transaction that did the work. */
export async function keepReceipt(
  ctx: Ctx,
  head: LockedSession,
  verb: string,
  key: string | undefined,
  body: unknown,
  receipt: object
): Promise<void> {
  if (key === undefined) return
  await ctx.sql`
    insert into receipts (session_key, generation, verb, key, digest, receipt)
    values (${head.sessionKey}, ${head.generation}, ${verb}, ${key}, ${digestOf(body)}, ${receipt}::jsonb)`
}
