import type { Ctx } from '#lib/kernel/ctx.ts'

/** What opens an account: named secrets, such as `accessToken` and `refreshToken`, or what somebody entered. */
export type Credential = Record<string, string>

/** Which credential: a secret that is moved to another workspace, connection or field opens nothing there. */
type Place = { workspaceId: string; connectionId: string }

/** Each field sealed on its own. */
export const sealCredential = (ctx: Ctx, place: Place, credential: Credential): Record<string, string> =>
  Object.fromEntries(
    Object.entries(credential).map(([field, secret]) => [
      field,
      ctx.ports.vault.seal(secret, purposeOf(place, field))
    ])
  )

export const openCredential = (ctx: Ctx, place: Place, sealed: Record<string, string>): Credential =>
  Object.fromEntries(
    Object.entries(sealed).map(([field, text]) => [
      field,
      ctx.ports.vault.open(text, purposeOf(place, field))
    ])
  )

const purposeOf = ({ workspaceId, connectionId }: Place, field: string): string =>
  `connection ${workspaceId} ${connectionId} ${field}`
