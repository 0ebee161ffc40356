import { spawn } from 'node:child_process'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'
import { whenNpmIsGone } from './when-npm-is-gone.mjs'

/** What the server says it begins with, in words for people. */
const TITLES = {
  database: 'Starting Postgres',
  migrate: 'Preparing the database',
  serve: 'Starting the server'
}

/**
 * Runs the server until it ends, shows its steps, and prints its last word: that it is ready. Signals reach it
 * through us alone: it has a process group of its own, so that Ctrl-C does not count twice, and a channel to us, so
 * that it ends when we are killed. Gives its exit code.
 *
 * @param {string} node
 * @param {'development' | 'production'} mode
 * @param {ReturnType<typeof import('./steps.mjs').countSteps>} steps
 */
export async function serve(node, mode, steps) {
  const server = spawn(node, ['server.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: mode, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  /** @type {string | undefined} */
  let fault
  let early = ''
  let isReady = false
  // Between two steps nobody else shall write; Next tells there how long it read its settings.
  const keep = (/** @type {string} */ text) => (early += text)
  server.stdout?.setEncoding('utf8').on('data', keep)
  server.on('message', (/** @type {any} */ { step, ready, failed }) => {
    if (step) steps.begin(TITLES[/** @type {keyof typeof TITLES} */ (step)])
    if (failed) fault = failed
    if (!ready) return
    isReady = true
    steps.end()
    process.stdout.write(early.replace(/^.*Running next\.config.*\n/gm, ''))
    console.log(ready)
    server.stdout?.off('data', keep).pipe(process.stdout)
  })
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  whenNpmIsGone(() => server.kill('SIGTERM'))
  const code = await new Promise((done, fail) => server.once('error', fail).once('exit', done))
  if (fault) throw new Fault(`${early}${fault}`)
  if (!isReady && code !== 0) throw new Fault(`${early}The server ended before it was ready.`)
  return code ?? 1
}
