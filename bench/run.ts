import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openBareJobs } from './bare-jobs.ts'
import { spreadOf } from './percentiles.ts'
import { openStage } from './stage.ts'
import { measureWakes } from './wake.ts'

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
const server = await startEmbeddedPostgres({ dir, durable: true })
const bareServer = await startEmbeddedPostgres({ dir, database: 'bare', durable: true })
console.log(server.url)
{
  await using stage = await openStage(server.url)
  await using bare = await openBareJobs(bareServer.url)
  await measureWakes(stage, bare, 15)
  const wakes = await measureWakes(stage, bare, Number(process.argv[2] ?? 100))
  for (const [name, values] of Object.entries(wakes)) console.log(name, spreadOf(values))
}
await bareServer.stop()
await server.stop()
await rm(dir, { recursive: true, force: true })
