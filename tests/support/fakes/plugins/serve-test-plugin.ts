import { onTestFinished } from 'vitest'
import { startTestPlugin, type TestPluginOptions } from './start-test-plugin.ts'

/**
 * Starts a plugin in TypeScript, in the test's process, which behaves like a remote plugin. It stops when the test
 * ends.
 */
export async function serveTestPlugin(options: TestPluginOptions = {}) {
  const plugin = await startTestPlugin(options)
  onTestFinished(plugin.stop)
  return plugin
}
