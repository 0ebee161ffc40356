import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { scriptFault } from '#lib/infra/sandbox/open-scripts.ts'
import { runScript } from '#lib/infra/sandbox/run-script.ts'
import type { ScriptOrder } from '#lib/kernel/ports/scripts.ts'

/** Where no sandbox can be had, scripts are refused; here it is tested that they are. */
export const boxed = (await scriptFault()) === undefined

export const run = (script: string, more: Partial<ScriptOrder> = {}) =>
  runScript({ script, seconds: 60, signal: AbortSignal.timeout(90_000), ask: async () => null, ...more })

/** What a script prints, read as JSON. */
export const printed = async (expression: string) => {
  const { stdout, stderr } = await run(`console.log(JSON.stringify(${expression}))`)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** How many processes of this machine have these words in their command line. */
export const running = (words: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(words)).length

export async function isGone(words: string) {
  while (running(words) > 0) await pause(20)
}

let marked = 0
/** Seconds that nobody else sleeps: the mark of a process. */
export const mark = () => `${1_000_000 + process.pid}.${++marked}`
