import type { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import type { ServiceResponse } from '@waystation/protocol/external-agent/calls.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly accountRequests: AccountRequests
  }
}

/** How requests for an account open and are used (`features/connections`). The first two need the session's lock. */
export type AccountRequests = {
  /** Adds the service of each request. A request for an unknown integration has the reason in `failed`. */
  describe: (tx: Ctx, openings: readonly Opening[]) => Promise<Opening[]>
  /** Settles requests for accounts that are already connected. */
  settleConnected: (tx: Ctx, session: LockedSession, calls: readonly CallRow[]) => Promise<boolean>
  /** Sends a request with the account of a settled call. Needs no lock. */
  send: (ctx: Ctx, call: CallRow & { generation: number }, request: HttpRequest) => Promise<ServiceResponse>
}
