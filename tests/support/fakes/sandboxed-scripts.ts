import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { scriptError } from '@waystation/sandbox'
import { expect } from 'vitest'
import { runScript } from '#packages/sandbox/src/run-script.ts'
import type { ScriptRequest } from '#packages/sandbox/src/scripts.ts'

/** False on machines without a sandbox, where the server rejects scripts. The tests then check this. */
export const boxed = (await scriptError()) === undefined

/** Runs a script in the sandbox. */
export const run = (script: string, more: Partial<ScriptRequest> = {}) =>
  runScript({ script, seconds: 60, signal: AbortSignal.timeout(90_000), ask: async () => null, ...more })

/** Evaluates an expression in a script and returns its value. */
export const printed = async (expression: string) => {
  const { stdout, stderr } = await run(`console.log(JSON.stringify(${expression}))`)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** Returns the number of this machine's processes with this text in their command line. */
export const running = (text: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(text)).length

/** Resolves when no process has this text in its command line. */
export async function isGone(text: string) {
  while (running(text) > 0) await pause(20)
}

let markCount = 0
/** Returns a unique number of seconds to sleep, by which a test finds its process. */
export const mark = () => `${1_000_000 + process.pid}.${++markCount}`
