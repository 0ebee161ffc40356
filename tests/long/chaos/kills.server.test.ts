import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFigures, type Figures, formatFigures } from '#tests/chaos/figures.ts'
import { faults, plan } from '#tests/chaos/plan.ts'
import type { Points } from '#tests/chaos/points.ts'
import { runRounds } from '#tests/chaos/run-rounds.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'

/** The number of accepted operations that the test needs to be meaningful. */
const minAccepted = 40

/** Set `WAYSTATION_CHAOS_SEED` to repeat a run. */
const seed = Number(process.env.WAYSTATION_CHAOS_SEED ?? randomInt(2 ** 31))

/** Each round is one minute of `npm run chaos` with each fault at least once. */
const rounds = [0, 1, 2, 3].map(n => ({
  seed: seed + n,
  ms: 60_000,
  least: minAccepted,
  every: 2_500,
  chats: 3,
  externals: 1
}))

/** One round is usually enough to pass each failpoint. A slow machine needs more. */
const passedAll = ({ points = {} as Points }: Figures) =>
  Object.values(points).every(({ passed }) => passed > 0)

test('004-4: servers, workers and Postgres are killed, stopped and cut off under load, and all accepted work is done once and in order', async ({
  annotate
}) => {
  // Processes log each lost connection. This test expects that and judges only the final state.
  allowErrors(/./)
  const directory = await mkdtemp(join(tmpdir(), 'waystation-history-'))
  let played = 0
  const { violations, figures, history } = await runRounds(rounds, directory, () => (played += 1), {
    points: 2_000,
    enough: passedAll
  })
  await annotate([`seed ${seed}, ${played} rounds`, ...formatFigures(figures, { path: history })].join('\n'))
  // The directory stays for inspection if the test fails.
  expect(violations, `seed ${seed}, ${history}`).toEqual([])
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [point, { passed }] of Object.entries(figures.points ?? {}))
    expect(passed, point).toBeGreaterThan(0)
  const planned = emptyFigures().faults
  for (const load of rounds.slice(0, played))
    for (const { fault } of plan(load.seed, load.ms, load)) planned[fault] += 1
  expect(figures.faults).toEqual(planned)
  for (const fault of faults) expect(planned[fault], fault).toBeGreaterThan(0)
  expect(figures.messages).toMatchObject({ lost: 0, doubled: 0, reordered: 0 })
  expect(Object.values(figures.operations).reduce((sum, { ok }) => sum + ok, 0)).toBeGreaterThanOrEqual(
    minAccepted
  )
}, 1_500_000)
