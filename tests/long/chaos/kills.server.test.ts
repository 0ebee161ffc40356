import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { noFigures, written } from '#tests/chaos/figures.ts'
import { faults, plan } from '#tests/chaos/plan.ts'
import { play } from '#tests/chaos/play.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'

/** How much must have been accepted for the rest to say something. */
const least = 40

/** A minute of `npm run chaos`, with every fault at least once. `WAYSTATION_CHAOS_SEED` plays one again. */
const share = {
  seed: Number(process.env.WAYSTATION_CHAOS_SEED ?? randomInt(2 ** 31)),
  ms: 60_000,
  least,
  every: 2_500,
  chats: 3,
  externals: 1
} as const

test('004-4: servers, workers and Postgres are killed, stopped and cut off under load: what was accepted is there once, in order, and done', async ({
  annotate
}) => {
  // Every process says what it lost, which is what this test takes from it. What counts is what is told in the end.
  allowErrors(/./)
  const directory = await mkdtemp(join(tmpdir(), 'waystation-history-'))
  const { violations, figures, history } = await play([share], directory, undefined, { points: 2_000 })
  await annotate([`seed ${share.seed}`, ...written(figures, { path: history })].join('\n'))
  // What is not as promised stays there to be looked at.
  expect(violations, `seed ${share.seed}, ${history}`).toEqual([])
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [point, { passed }] of Object.entries(figures.points ?? {}))
    expect(passed, point).toBeGreaterThan(0)
  const planned = noFigures().faults
  for (const { fault } of plan(share.seed, share.ms, share)) planned[fault] += 1
  expect(figures.faults).toEqual(planned)
  for (const fault of faults) expect(planned[fault], fault).toBeGreaterThan(0)
  expect(figures.messages).toMatchObject({ lost: 0, doubled: 0, reordered: 0 })
  expect(Object.values(figures.operations).reduce((sum, { ok }) => sum + ok, 0)).toBeGreaterThanOrEqual(least)
}, 900_000)
