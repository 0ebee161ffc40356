/**
 * Preload for servers (`node --import`) that arms the failpoints. At intervals, the process crashes, waits or fails
 * at a drawn failpoint.
 */
import { existsSync, openSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { armFailpoints, type Failpoint, failpoints } from '#lib/kernel/failpoint.ts'
import { disarmFile, type FailpointSettings, failpointActions } from './points.ts'
import { seeded } from './seeded.ts'

const { seed, gap, file }: FailpointSettings = JSON.parse(process.env.WAYSTATION_TEST_POINTS ?? '{}')
const random = seeded(seed, `points of ${process.pid}`)
const log = openSync(file, 'a')
const note = (point: Failpoint, what: string) => writeSync(log, `${point} ${what}\n`)

/** Draws the next action, its failpoint and the earliest time for it. */
const draw = () => ({
  point: random.weighed(failpoints, () => 1),
  act: random.weighed(failpointActions, () => 1),
  at: Date.now() + gap / 2 + random.below(gap)
})
let next = draw()

armFailpoints(point => {
  note(point, 'passed')
  const now = Date.now()
  // The process did not pass the drawn failpoint in time.
  if (now > next.at + 2 * gap) next = draw()
  if (point !== next.point || now < next.at || existsSync(disarmFile(file))) return undefined
  const { act } = next
  next = draw()
  note(point, act === 'crash' ? `crash ${process.pid}` : act)
  switch (act) {
    case 'crash':
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    case 'wait':
      return pause(20 + random.below(500))
    case 'fail':
      return Promise.reject(new Error(`Made to fail at ${point}.`))
  }
})
