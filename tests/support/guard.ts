import { format } from 'node:util'
import { beforeEach, onTestFinished } from 'vitest'
import { recordError, recordErrorLines, takeErrors } from './expected-errors.ts'

/**
 * Vitest's setup for every file: an unexpected error fails the test that caused it. Watches `console.error` and log
 * lines of level `error`. Vitest itself reports unhandled rejections. A test that causes an error on purpose calls
 * `allowErrors`.
 */
const guarded = Symbol.for('waystation.tests.guarded')
const globals = globalThis as typeof globalThis & { [guarded]?: true }

if (!globals[guarded]) {
  globals[guarded] = true
  const consoleError = console.error.bind(console)
  console.error = (...args: unknown[]) => {
    recordError('console.error', format(...args))
    consoleError(...args)
  }
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    recordErrorLines('log', String(chunk))
    return write(chunk, ...rest)
  }) as typeof process.stderr.write
}

// Registered first, so it runs last, after the test's servers and servers were stopped.
beforeEach(() => {
  onTestFinished(() => {
    const errors = takeErrors()
    if (errors.length > 0)
      throw new Error(
        `The test caused errors that it does not allow:\n${errors.map(({ source, text }) => `${source}: ${text}`).join('\n')}`
      )
  })
})
