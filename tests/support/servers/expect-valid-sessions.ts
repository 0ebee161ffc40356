import type { StatusEvent } from '@waystation/protocol/session/event.ts'
import { expect } from 'vitest'
import type { Pool } from '#db/client.ts'
import { findViolations } from '#tests/support/servers/find-violations.ts'

export { isServerIdle } from '#tests/support/servers/find-violations.ts'

/** Expects that no stored data violates the rules for all sessions (`find-violations.ts`). */
export async function expectValidSessions(sql: Pool): Promise<void> {
  for (const [what, rows] of Object.entries(await findViolations(sql))) expect(rows, what).toEqual([])
}

/** Returns the terminal events of a session, oldest first. */
export const endsOf = (events: readonly { type: string }[]): StatusEvent[] =>
  (events as StatusEvent[]).filter(event => event.type === 'status' && event.outcome !== undefined)
