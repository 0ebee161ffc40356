import { Fault } from './fault.mjs'

/**
 * Does the work of a command and ends with the exit code it gives. A `Fault` ends the step it happened in and is
 * shown as the sentence it is; anything else is our own bug, and is shown whole.
 *
 * @param {ReturnType<typeof import('./steps.mjs').countSteps>} steps
 * @param {() => Promise<number>} work
 */
export async function endWith(steps, work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    steps.end('failed')
    console.error(error instanceof Fault ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
