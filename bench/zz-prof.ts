import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openStage } from './stage.ts'
import { longSession } from './long-session.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'
const [kind, n, out] = process.argv.slice(2)
const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
const pg = await startEmbeddedPostgres({ dir, database: 'engine', durable: true })
{
  await using stage = await openStage(pg.url)
  const ids: string[] = []
  if (kind === 'long') for (let i = 0; i < 4; i++) ids.push(await longSession(stage, 10_000))
  else if (kind === 'fresh') for (let i = 0; i < Number(n) + 50; i++) ids.push(await stage.session())
  else for (let i = 0; i < (Number(n) + 50) / 5; i++) { const s = kind === 'hooked' ? await stage.session('hooked') : await longSession(stage, 10); for (let k=0;k<5;k++) ids.push(s) }
  await stage.sql`vacuum analyze`
  const turn = async (sessionId: string) => {
    const e = turnsEnd(stage, { sessionId, ...(await newestEvent(stage, sessionId)) } as never)
    await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
    await e
    await stage.rest()
  }
  for (let i = 0; i < 50; i++) await turn(ids[i % ids.length]!)
  const session = new Session(); session.connect()
  await session.post('Profiler.enable'); await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  const c = process.cpuUsage(); const t = performance.now()
  for (let i = 0; i < Number(n); i++) await turn(ids[(i + 50) % ids.length]!)
  const d = process.cpuUsage(c)
  console.log(kind, 'cpu/turn', ((d.user + d.system) / 1000 / Number(n)).toFixed(2), 'wall', ((performance.now() - t) / Number(n)).toFixed(2))
  const { profile } = await session.post('Profiler.stop') as any
  await writeFile(out!, JSON.stringify({ n: Number(n), profile }))
}
await pg.stop(); await rm(dir, { recursive: true, force: true }); process.exit(0)
