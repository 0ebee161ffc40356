import { onTestFinished } from 'vitest'
import { startTwin, type TwinOptions } from './start-test-plugin.ts'

/**
 * Starts a plugin in TypeScript, in the test's process, which behaves like a remote plugin. It stops when the test
 * ends.
 */
export async function serveTwin(options: TwinOptions = {}) {
  const twin = await startTwin(options)
  onTestFinished(twin.stop)
  return twin
}
