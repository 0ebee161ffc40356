import { newId } from '@waystation/base/ids.ts'
import type { StoredFile, UploadFile } from '@waystation/protocol/session/file.ts'
import { inTransaction } from '#db/transaction.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { admitFile, storeFile, validateFile } from '#lib/sessions/files/store-file.ts'

/**
 * Stores a file for a message of this session (001-21). The same key with the same file returns the same
 * receipt. If the file was removed since because no message used it, it is stored again under its ID. The
 * bytes are stored before the session is locked, so that others do not wait for them.
 */
export async function uploadFile(
  ctx: Ctx,
  input: UploadFile & { declared: string; bytes: Uint8Array }
): Promise<StoredFile> {
  const file = validateFile(ctx, input)
  const { key, sessionId } = input
  const { bytes: _, ...body } = file
  return inTransaction(ctx, async tx => {
    const id = newId('file')
    await storeFile(tx, await sessionKeyOf(tx, sessionId), id, file)
    const session = await lockSession(tx, sessionId)
    const existing = await findReceipt<StoredFile>(tx, session, 'file', key, body)
    if (existing !== undefined)
      return (await restoreDeleted(tx, session, id, existing))
        ? admitFile(tx, session, existing.id, file)
        : existing
    const receipt = await admitFile(tx, session, id, file)
    await storeReceipt(tx, session, 'file', key, body, receipt)
    return receipt
  })
}

/**
 * Gives the new file the ID of the removed one and returns true. If the earlier file still exists, deletes
 * the new one and returns false.
 */
async function restoreDeleted(
  tx: Ctx,
  { sessionKey }: LockedSession,
  id: string,
  existing: StoredFile
): Promise<boolean> {
  const { count } = await tx.sql`
    update files set id = ${existing.id} where session_key = ${sessionKey} and id = ${id} and not exists (
      select from files f where f.session_key = ${sessionKey} and f.id = ${existing.id})`
  if (count === 0) await tx.sql`delete from files where session_key = ${sessionKey} and id = ${id}`
  return count > 0
}
