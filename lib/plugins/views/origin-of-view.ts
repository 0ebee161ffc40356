import { randomUUID } from 'node:crypto'
import type { CallOrigin } from '@waystation/plugin-host/contract.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'

/** Returns the origin of a request of a view: its user, and a key of its own. The server never repeats it. */
export const originOfView = ({ actor }: Ctx): CallOrigin => ({
  userId: identityOf(actor).id,
  idempotencyKey: randomUUID()
})
