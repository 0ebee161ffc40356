import { spawn } from 'node:child_process'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'

/** @typedef {'database' | 'migrate' | 'serve'} Step */
/**
 * @typedef {{ code: number, crashed: boolean }} End `crashed`: the server was ready, and nothing had asked it to
 * stop
 */

/**
 * Starts one server process. It has its own process group, so that Ctrl-C reaches it only once, through this
 * process. An IPC channel ends it if this process is killed. `ended` rejects with a `Fault` and the server's
 * message if it does not become ready.
 *
 * @param {string} node
 * @param {'development' | 'production'} mode
 * @param {{ onStep(step: Step): void, onReady(): void }} events
 */
export function runServer(node, mode, { onStep, onReady }) {
  const server = spawn(node, ['server.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: mode,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {})
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  let fault = ''
  let earlyOutput = ''
  let isReady = false
  let isStopping = false
  // Output between two steps would break the progress line, so it is held until the server is ready. It includes
  // Next's line about reading its settings.
  const collect = (/** @type {string} */ text) => (earlyOutput += text)
  server.stdout?.setEncoding('utf8').on('data', collect)
  server.on('message', (/** @type {any} */ { step, ready, failed }) => {
    if (step) onStep(step)
    if (failed) fault = failed
    if (!ready) return
    isReady = true
    onReady()
    process.stdout.write(earlyOutput.replace(/^.*Running next\.config.*\n/gm, ''))
    console.log(ready)
    server.stdout?.off('data', collect).on('data', text => process.stdout.write(text))
  })
  /** @type {Promise<number>} */
  const exited = new Promise((done, fail) => server.once('error', fail).once('exit', code => done(code ?? 1)))
  return {
    /** @param {'SIGTERM' | 'SIGINT'} signal */
    stop(signal) {
      isStopping = true
      server.kill(signal)
    },
    /** @type {Promise<End>} */
    ended: exited.then(code => {
      if (fault) throw new Fault(`${earlyOutput}${fault}`)
      if (!isReady && !isStopping) throw new Fault(`${earlyOutput}The server exited before it was ready.`)
      return { code, crashed: isReady && !isStopping && code !== 0 }
    })
  }
}
