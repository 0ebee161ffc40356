import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The secrets of an account by name: tokens such as `accessToken` and `refreshToken`, or the fields that a
 * user entered.
 */
export type Credential = Record<string, string>

/**
 * The encryption context: a secret that is copied to another workspace, connection or field cannot be
 * decrypted there.
 */
type CredentialScope = { workspaceId: string; connectionId: string }

/** Encrypts each field separately. */
export const encryptCredential = (
  ctx: Ctx,
  scope: CredentialScope,
  credential: Credential
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(credential).map(([field, secret]) => [
      field,
      ctx.ports.vault.encrypt(secret, purposeOf(scope, field))
    ])
  )

/** Decrypts the fields of a stored credential. Throws if one was encrypted for another connection or field. */
export const decryptCredential = (
  ctx: Ctx,
  scope: CredentialScope,
  sealed: Record<string, string>
): Credential =>
  Object.fromEntries(
    Object.entries(sealed).map(([field, text]) => [
      field,
      ctx.ports.vault.decrypt(text, purposeOf(scope, field))
    ])
  )

const purposeOf = ({ workspaceId, connectionId }: CredentialScope, field: string): string =>
  `connection ${workspaceId} ${connectionId} ${field}`
