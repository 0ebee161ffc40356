import { onTestFinished } from 'vitest'
import { startTwin, type TwinOptions } from './start-twin.ts'

/** A plugin in TypeScript, in the test's own process: as one that somebody else runs. It ends with the test. */
export async function serveTwin(options: TwinOptions = {}) {
  const twin = await startTwin(options)
  onTestFinished(twin.stop)
  return twin
}
