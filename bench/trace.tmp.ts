import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openStage } from './stage.ts'
import { now } from './machine.ts'
import { SendMessage } from '#lib/protocol/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
const server = await startEmbeddedPostgres({ dir, durable: true })
{
  await using stage = await openStage(server.url)
  const s = await stage.session()
  for (let i = 0; i < 30; i++) { await sendMessage(stage.ctx, SendMessage.parse({ sessionId: s, text: 'Hello' })); await stage.rest() }
  const options = stage.sql.options as unknown as { debug: unknown }
  const lines: string[] = []
  let t0 = now()
  options.debug = (id: number, text: string) => { if (/heads where owner is not null or turn_id|update workers|delete from workers|from heads\s+where owner =/.test(text)) return; lines.push(`${(now() - t0).toFixed(1)} #${id} ${text.replace(/\s+/g, ' ').trim().slice(0, 110)}`) }
  t0 = now()
  const asked = stage.model.next()
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId: s, text: 'Hello' }))
  lines.push(`${(now() - t0).toFixed(1)} ACCEPTED`)
  const a = await asked
  lines.push(`${(a.at - t0).toFixed(1)} ASKED`)
  await pause(200)
  await stage.rest()
  console.log(lines.join('\n'))
}
await server.stop()
await rm(dir, { recursive: true, force: true })
