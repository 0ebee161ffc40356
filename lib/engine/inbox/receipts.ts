import { ApiError } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the stored response for an idempotency key; undefined if there is none. Throws `KEY_REUSED` (422)
 * if the body differs. A key is scoped to workspace, session, generation and operation, and is valid as long
 * as the session exists (docs/concepts/engine.md#accepted). Requires the session's lock.
 */
export async function findReceipt<Receipt>(
  ctx: Ctx,
  session: LockedSession,
  verb: string,
  key: string | undefined,
  body: unknown
): Promise<Receipt | undefined> {
  if (key === undefined) return undefined
  const [row] = await ctx.sql<StoredReceipt[]>`
    select digest, receipt::text from receipts
    where session_key = ${session.sessionKey} and generation = ${session.generation} and verb = ${verb} and key = ${key}`
  return row === undefined ? undefined : sameReceipt<Receipt>(row, body)
}

/** Tells, without a lock, whether a key has a receipt. `findReceipt` returns the receipt and compares the body. */
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

/** A stored receipt: the digest of the request's body, and the response as JSON. */
export type StoredReceipt = { digest: string; receipt: string }

/** Returns the stored response. Throws `KEY_REUSED` if the body differs. */
export function sameReceipt<Receipt>({ digest, receipt }: StoredReceipt, body: unknown): Receipt {
  if (digest === digestOf(body)) return JSON.parse(receipt) as Receipt
  throw new ApiError(
    'KEY_REUSED',
    'This idempotency key was already used with a different body. Use a new key.'
  )
}

/** Stores the response for an idempotency key, in the transaction that did the work. */
export async function storeReceipt(
  ctx: Ctx,
  session: LockedSession,
  verb: string,
  key: string | undefined,
  body: unknown,
  receipt: object
): Promise<void> {
  if (key === undefined) return
  await ctx.sql`
    insert into receipts (session_key, generation, verb, key, digest, receipt)
    values (${session.sessionKey}, ${session.generation}, ${verb}, ${key}, ${digestOf(body)}, ${receipt}::jsonb)`
}
