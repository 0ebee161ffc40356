import { runServer } from './run-server.mjs'
import { whenNpmIsGone } from './when-npm-is-gone.mjs'

/** Titles for the steps that the server reports. */
const TITLES = {
  database: 'Starting Postgres',
  migrate: 'Preparing the database',
  serve: 'Starting the server'
}
/**
 * A server that crashes within this time after its start (in milliseconds) is not restarted, because it would crash
 * again.
 */
const MIN_UPTIME_MS = 10_000

/**
 * Runs the server until a signal stops it, shows its steps, and returns its exit code. Restarts a crashed server,
 * which continues its work because all state is in the database.
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
    const startedAt = performance.now()
    const { code, crashed } = await server.ended
    if (!crashed || performance.now() - startedAt < MIN_UPTIME_MS) return code
    console.error('The server exited unexpectedly and is restarting. No accepted request is lost.')
    server = runServer(node, mode, { onStep: () => {}, onReady: () => {} })
  }
}
