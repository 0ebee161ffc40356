import { Fault } from './fault.mjs'

/**
 * Runs a command and exits with the code that it returns. For a `Fault`, ends the current step and prints the
 * message. For any other error, which is a bug, prints the error with its stack.
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
