import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serversKilled, written } from './figures.ts'
import { faults } from './plan.ts'
import { play } from './play.ts'
import { untried } from './points.ts'
import { recover } from './recover.ts'
import type { Load } from './round.ts'

/**
 * `npm run chaos -- --minutes 10 --seed 42`: rounds of at most `--round` minutes (2), each with a seed of its own, counted
 * up from the first; `--every 20` lets at most so many seconds pass between two faults (5), and with 20 most come alone;
 * `--without lose-jobs` leaves a kind of fault out (jobs that are lost are found by the minute, so every
 * round with one ends late). The same seed draws the same operations and the same faults at the same times; how processes
 * interleave is theirs. Ends with 1 when a promise was not kept, and says where the history is. After each round
 * `figures.txt` beside the histories says what it came to so far.
 *
 * `--points 10`: at failpoints, every ten seconds or so, each server crashes, waits or fails (0: never). A run that passed one of them hardly
 * ever ends with 1 as well.
 *
 * `--until 20000,200,50` ends it before its time, once so many messages are acknowledged, and so many servers and times
 * Postgres killed.
 *
 * `--one-at-a-time 20`, instead: how soon everything goes on after each kind of kill, each so many times and alone.
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
  const [messages = 0, servers = 0, postgres = 0] = values.until?.split(',').map(Number) ?? []
  const enough = values.until === undefined ? undefined : { messages, servers, postgres }
  const { violations, figures, history } = await play(
    rounds,
    values.directory,
    ({ violations, settledMs, history, figures }) => {
      const { messages, faults } = figures
      const kept = violations.length === 0 ? 'as promised' : `${violations.length} violations`
      const killed = `${serversKilled(figures)} servers and ${faults['kill-postgres']} times Postgres killed`
      writeFileSync(join(values.directory, 'figures.txt'), written(figures, { path: history }).join('\n'))
      console.log(
        `${history}: ${kept}, at rest ${(settledMs / 1000).toFixed(1)} s after the last fault; so far ${messages.acknowledged} acknowledged, ${killed}`
      )
    },
    { enough, ...(Number(values.points) > 0 ? { points: Number(values.points) * 1000 } : {}) }
  )
  for (const line of written(figures, { path: history })) console.log(line)
  for (const { check, session, what } of violations.slice(0, 50))
    console.error(`${check} (${session}): ${what}`)
  const vain = figures.points === undefined ? [] : untried(figures.points)
  for (const point of vain) console.error(`Hardly anything happened at ${point}: run it for longer.`)
  process.exitCode = violations.length + vain.length === 0 ? 0 : 1
}
