import { spawn } from 'node:child_process'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'

/** @typedef {'database' | 'migrate' | 'serve'} Step */
/** @typedef {{ code: number, crashed: boolean }} End `crashed`: it had been ready, and nobody had asked it to end */

/**
 * One life of the server: it has a process group of its own, so that Ctrl-C reaches it through us and counts once,
 * and a channel to us, so that it ends when we are killed. Throws a `Fault` with its own words when it does not
 * become ready.
 *
 * @param {string} node
 * @param {'development' | 'production'} mode
 * @param {{ onStep(step: Step): void, onReady(): void }} events
 */
export function runServer(node, mode, { onStep, onReady }) {
  const server = spawn(node, ['server.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: mode, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  let fault = ''
  let early = ''
  let isReady = false
  let isAsked = false
  // Between two steps nobody else shall write; Next tells there how long it read its settings.
  const keep = (/** @type {string} */ text) => (early += text)
  server.stdout?.setEncoding('utf8').on('data', keep)
  server.on('message', (/** @type {any} */ { step, ready, failed }) => {
    if (step) onStep(step)
    if (failed) fault = failed
    if (!ready) return
    isReady = true
    onReady()
    process.stdout.write(early.replace(/^.*Running next\.config.*\n/gm, ''))
    console.log(ready)
    server.stdout?.off('data', keep).on('data', text => process.stdout.write(text))
  })
  /** @type {Promise<number>} */
  const exited = new Promise((done, fail) => server.once('error', fail).once('exit', code => done(code ?? 1)))
  return {
    /** @param {'SIGTERM' | 'SIGINT'} signal */
    stop(signal) {
      isAsked = true
      server.kill(signal)
    },
    /** @type {Promise<End>} */
    ended: exited.then(code => {
      if (fault) throw new Fault(`${early}${fault}`)
      if (!isReady && !isAsked) throw new Fault(`${early}The server exited before it was ready.`)
      return { code, crashed: isReady && !isAsked && code !== 0 }
    })
  }
}
