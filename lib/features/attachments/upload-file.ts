import { inTransaction } from '#db/transaction.ts'
import { keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { KeptFile, UploadFile } from '#lib/protocol/session/file.ts'
import { admitFile, storeFile, validateFile } from '#lib/sessions/files/keep-file.ts'

/**
 * Keeps a file for a message of this session (001-21). The same key with the same file answers the same file; one that was
 * removed meanwhile, since nobody had sent it, is kept anew under its ID. The bytes are stored before the head is locked:
 * nobody else waits for them.
 */
export async function uploadFile(
  ctx: Ctx,
  input: UploadFile & { declared: string; bytes: Uint8Array }
): Promise<KeptFile> {
  const file = validateFile(ctx, input)
  const { key, sessionId } = input
  const { bytes: _, ...body } = file
  return inTransaction(ctx, async tx => {
    const id = newId('file')
    await storeFile(tx, await sessionKeyOf(tx, sessionId), id, file)
    const head = await lockSession(tx, sessionId)
    const known = await knownReceipt<KeptFile>(tx, head, 'file', key, body)
    if (known !== undefined)
      return (await replaced(tx, head, id, known)) ? admitFile(tx, head, known.id, file) : known
    const kept = await admitFile(tx, head, id, file)
    await keepReceipt(tx, head, 'file', key, body, kept)
    return kept
  })
}

/** Lets what was just stored stand for what is gone; false: it is still there, and the other goes. */
async function replaced(
  tx: Ctx,
  { sessionKey }: LockedSession,
  id: string,
  known: KeptFile
): Promise<boolean> {
  const { count } = await tx.sql`
    update files set id = ${known.id} where session_key = ${sessionKey} and id = ${id} and not exists (
      select from files f where f.session_key = ${sessionKey} and f.id = ${known.id})`
  if (count === 0) await tx.sql`delete from files where session_key = ${sessionKey} and id = ${id}`
  return count > 0
}
