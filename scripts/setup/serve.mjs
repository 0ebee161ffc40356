import { runServer } from './run-server.mjs'
import { whenNpmIsGone } from './when-npm-is-gone.mjs'

/** What the server says it begins with, in words for people. */
const TITLES = {
  database: 'Starting Postgres',
  migrate: 'Preparing the database',
  serve: 'Starting the server'
}
/** A server that crashes sooner than this after its start, in milliseconds, would only crash again. */
const TOO_SOON = 10_000

/**
 * Runs the server until it is asked to end, and shows its steps. One that crashes is started again: it goes on where
 * it was, since all that counts is in the database. Gives its exit code.
 *
 * @param {string} node
 * @param {'development' | 'production'} mode
 * @param {ReturnType<typeof import('./steps.mjs').countSteps>} steps
 */
export async function serve(node, mode, steps) {
  const first = {
    onStep: (/** @type {keyof typeof TITLES} */ step) => steps.begin(TITLES[step]),
    onReady: () => steps.end()
  }
  let server = runServer(node, mode, first)
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
    process.on(signal, () => server.stop(signal))
  process.on('SIGHUP', () => server.stop('SIGTERM'))
  whenNpmIsGone(() => server.stop('SIGTERM'))
  for (;;) {
    const began = performance.now()
    const { code, crashed } = await server.ended
    if (!crashed || performance.now() - began < TOO_SOON) return code
    console.error('The server exited unexpectedly and is restarting. No accepted request is lost.')
    server = runServer(node, mode, { onStep: () => {}, onReady: () => {} })
  }
}
