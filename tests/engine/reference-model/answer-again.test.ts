import { test } from 'vitest'
import type { Scheduled } from './commands.ts'
import { runSchedule } from './run-schedule.ts'
import { startTestSystem } from './test-system.ts'

/** A random schedule found this case, with the seed 511873761. */
const schedule: Scheduled[] = [
  { in: 0, do: 'send', mode: 'reject' },
  { in: 0, do: 'model says', calls: ['approval'] },
  { in: 0, do: 'send', mode: 'reject' },
  { in: 0, do: 'answer', pick: 0, no: false },
  { in: 0, do: 'out of band', priority: 'low', abort: true },
  { in: 0, do: 'answer again' }
]

test('an approval that is sent again gets its first response, even if its call was stopped meanwhile', async () => {
  const system = await startTestSystem()
  let sessionCount = 0
  try {
    await runSchedule(system, schedule, () => `s${++sessionCount}`)
  } finally {
    await system.close()
  }
})
