import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { startClockServer } from './clock-server.ts'
import { residentOf } from './machine.ts'

/**
 * Resident megabytes of the server process: 30 seconds after its start, when all turns have ended, and 30 seconds later.
 * Undefined without /proc.
 */
export type Memory = { rest?: number; busy?: number; later?: number }

/** Debian's folders for libraries, by processor. */
const libraryFolders: Record<string, string> = {
  x64: '/usr/lib/x86_64-linux-gnu',
  arm64: '/usr/lib/aarch64-linux-gnu'
}
const jemalloc = 'libjemalloc.so.2'

/** The allocator of the measured server: that of the Docker image where it is installed, and glibc's elsewhere. */
export const allocator = existsSync(`${libraryFolders[process.arch]}/${jemalloc}`) ? 'jemalloc' : 'glibc'

const restMs = 30_000
const laterMs = 30_000

/** Measures the memory of a new server, before and after `turns` turns that start at the same time. */
export async function measureMemory(databaseUrl: string, turns: number): Promise<Memory> {
  const sql = connect(databaseUrl, { max: 1 })
  // Two words.
  await using clock = await startClockServer(
    databaseUrl,
    { perSecond: 20, seconds: 0.1 },
    allocator === 'jemalloc' ? { LD_PRELOAD: jemalloc } : {}
  )
  try {
    const pid = clock.server.process.pid ?? 0
    await pause(restMs)
    const rest = residentOf(pid)
    const ids = Array.from({ length: turns }, (_, n) => `memory-${n}`)
    await clock.createSessions(ids)
    await Promise.all(ids.map(clock.send))
    while ((await endedTurns(sql)) < turns) await pause(100)
    const busy = residentOf(pid)
    await pause(laterMs)
    const later = residentOf(pid)
    return {
      ...(rest === undefined ? {} : { rest }),
      ...(busy === undefined ? {} : { busy }),
      ...(later === undefined ? {} : { later })
    }
  } finally {
    await sql.end()
  }
}

async function endedTurns(sql: Pool): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from turns t join sessions s on s.key = t.session_key
    where s.id like 'memory-%' and t.ended_at is not null`
  return row?.count ?? 0
}
