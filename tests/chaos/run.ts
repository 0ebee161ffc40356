import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figures, formatFigures, serversKilled } from './figures.ts'
import { faults } from './plan.ts'
import { findUntested } from './points.ts'
import { recover } from './recover.ts'
import type { Load } from './round.ts'
import { runRounds } from './run-rounds.ts'

/**
 * `npm run chaos -- --minutes 10 --seed 42` runs rounds of up to `--round` minutes (default: 2). Each round has its
 * own seed, counted up from the first. The same seed draws the same operations and the same faults at the same
 * times. How processes interleave is not reproducible.
 *
 * - `--every 20`: maximum seconds between two faults (default: 5). With 20, most faults are isolated.
 * - `--without lose-jobs`: excludes a kind of fault. The sweep finds lost jobs once a minute, so each round with one
 * ends late.
 * - `--points 10`: at failpoints, each server crashes, waits or fails about every ten seconds (0: never).
 * - `--until 20000,200,50`: ends early after this many acknowledged messages, killed servers and kills of Postgres.
 * - `--one-at-a-time 20`: instead, measures the recovery time of each kind of kill, this many times each.
 *
 * The exit code is 1 if a guarantee was broken, or if a failpoint was hardly passed. The output names the history.
 * After each round, `figures.txt` next to the histories has the sum so far.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    round: { type: 'string', default: '2' },
    seed: { type: 'string' },
    chats: { type: 'string', default: '8' },
    every: { type: 'string', default: '5' },
    without: { type: 'string', multiple: true, default: [] },
    externals: { type: 'string', default: '2' },
    points: { type: 'string', default: '10' },
    until: { type: 'string' },
    'one-at-a-time': { type: 'string' },
    directory: { type: 'string', default: '.data/chaos' }
  }
})
const minutes = Number(values.minutes)
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed)
const count = Math.max(1, Math.ceil(minutes / Number(values.round)))
const rounds = Array.from({ length: count }, (_, n): Load => {
  const ms = (minutes / count) * 60_000
  const without = faults.filter(fault => values.without.includes(fault))
  const every = Number(values.every) * 1000
  return {
    seed: seed + n,
    ms,
    chats: Number(values.chats),
    externals: Number(values.externals),
    every,
    without
  }
})

if (values['one-at-a-time'] !== undefined) {
  process.exitCode = await recover(
    Number(values['one-at-a-time']),
    seed,
    Number(values.chats),
    values.directory
  )
} else {
  console.log(`seed ${seed}: ${count} rounds of ${((minutes / count) * 60).toFixed(0)} s`)
  const [messages = Infinity, servers = 0, postgres = 0] = values.until?.split(',').map(Number) ?? []
  const enough = (figures: Figures) =>
    figures.messages.acknowledged >= messages &&
    serversKilled(figures) >= servers &&
    figures.faults['kill-postgres'] >= postgres
  const { violations, figures, history } = await runRounds(
    rounds,
    values.directory,
    ({ violations, settledMs, history, figures }) => {
      const { messages, faults } = figures
      const verdict = violations.length === 0 ? 'as promised' : `${violations.length} violations`
      const killed = `${serversKilled(figures)} servers and ${faults['kill-postgres']} times Postgres killed`
      writeFileSync(
        join(values.directory, 'figures.txt'),
        formatFigures(figures, { path: history }).join('\n')
      )
      console.log(
        `${history}: ${verdict}, at rest ${(settledMs / 1000).toFixed(1)} s after the last fault; so far ${messages.acknowledged} acknowledged, ${killed}`
      )
    },
    { enough, ...(Number(values.points) > 0 ? { points: Number(values.points) * 1000 } : {}) }
  )
  for (const line of formatFigures(figures, { path: history })) console.log(line)
  for (const { check, session, what } of violations.slice(0, 50))
    console.error(`${check} (${session}): ${what}`)
  const untestedPoints = figures.points === undefined ? [] : findUntested(figures.points)
  for (const point of untestedPoints)
    console.error(`Hardly anything happened at ${point}: run it for longer.`)
  process.exitCode = violations.length + untestedPoints.length === 0 ? 0 : 1
}
