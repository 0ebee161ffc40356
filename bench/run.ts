import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openBareJobs } from './bare-jobs.ts'
import { spreadOf } from './percentiles.ts'
import { openStage } from './stage.ts'
import { measureSteps } from './steps.ts'
import { measureWakes } from './wake.ts'

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
const server = await startEmbeddedPostgres({ dir, durable: true })
const bareServer = await startEmbeddedPostgres({ dir, database: 'bare', durable: true })
const show = (name: string, values: number[]) => { const s = spreadOf(values); console.log(name.padEnd(16), s.n, s.p50.toFixed(1), s.p95.toFixed(1), s.p99.toFixed(1)) }
{
  await using stage = await openStage(server.url)
  await using bare = await openBareJobs(bareServer.url)
  if (process.argv[3] !== 'steps') {
  await measureWakes(stage, bare, 15)
  const wakes = await measureWakes(stage, bare, Number(process.argv[2] ?? 100))
  for (const [name, values] of Object.entries(wakes)) show(name, values)
  }
  if (process.argv[3] !== 'wakes') {
  const steps = await measureSteps(stage, 64, 8)
  for (const name of ['short', 'long'] as const) {
    for (const cold of [true, false]) {
      const some = steps[name].filter(s => s.cold === cold)
      show(`${name} ${cold ? 'cold' : ''} asked`, some.map(s => s.asked))
      show(`${name} ${cold ? 'cold' : ''} whole`, some.map(s => s.whole))
      console.log('prompt', some[0]?.prompt, some.at(-1)?.prompt)
    }
  }
  }
}
await bareServer.stop()
await server.stop()
await rm(dir, { recursive: true, force: true })
