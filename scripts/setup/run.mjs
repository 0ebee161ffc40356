import { spawn } from 'node:child_process'
import { root } from './root.mjs'

/**
 * Runs a program to its end and returns its exit code and all its output. With `loud`, the program writes to the
 * terminal instead and the output is empty.
 *
 * @param {string[]} command the program and its arguments
 * @param {{ env?: Record<string, string>, loud?: boolean, cwd?: string }} [options] `env` is added to ours
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run([program = '', ...args], { env = {}, loud = false, cwd = root } = {}) {
  return new Promise((done, fail) => {
    /** @type {import('node:child_process').SpawnOptions} */
    const options = {
      cwd,
      env: { ...process.env, ...env },
      stdio: loud ? 'inherit' : ['ignore', 'pipe', 'pipe']
    }
    const child = spawn(program, args, options)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => (output += text))
    child.once('error', fail)
    child.once('close', (code, signal) => done({ code: code ?? (signal ? 1 : 0), output }))
  })
}

/** Returns the last lines of a program's output, where most programs report their error. */
export function tail(/** @type {string} */ output, lines = 40) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}

/** Returns the first lines of the output, where npm reports its error. */
export function head(/** @type {string} */ output, lines = 15) {
  return output.trim().split('\n').slice(0, lines).join('\n')
}
