import { log } from '@waystation/base/log.ts'
import type { McpPrograms } from '@waystation/sandbox'
import type { Pool } from '#db/client.ts'

/** Ends the programs of sessions that were deleted or that expired, in this or in another process (001-19). */
export async function endProgramsOfEndedSessions(sql: Pool, programs: McpPrograms): Promise<void> {
  const owners = programs.owners().filter(({ sessionKey }) => sessionKey !== 0)
  if (owners.length === 0) return
  const living = await sql<{ sessionKey: number; generation: number }[]>`
    select session_key, generation from heads where session_key = any(${owners.map(({ sessionKey }) => sessionKey)})`
  const generations = new Map(living.map(({ sessionKey, generation }) => [sessionKey, generation]))
  for (const owner of owners)
    if (generations.get(owner.sessionKey) !== owner.generation) programs.hold(owner)(true)
}

const everyMs = 60_000

/** Does this every minute until the server closes. */
export function watchPrograms(sql: Pool, programs: McpPrograms, closing: AbortSignal): void {
  const timer = setInterval(
    () =>
      void endProgramsOfEndedSessions(sql, programs).catch((error: unknown) =>
        log('warn', 'could not look for programs of ended sessions', { error })
      ),
    everyMs
  )
  timer.unref()
  closing.addEventListener('abort', () => clearInterval(timer), { once: true })
}
