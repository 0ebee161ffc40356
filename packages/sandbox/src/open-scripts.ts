import { existsSync } from 'node:fs'
import { ToolError } from '@waystation/base/known-error.ts'
import { exposureOf, type HiddenPath } from './exposure.ts'
import { sweepMemoryGroups } from './memory-group.ts'
import { runScript } from './run-script.ts'
import { exposedPaths } from './sandbox.ts'
import { type ScriptRequest, type ScriptRun, type Scripts, scriptsOffReason } from './scripts.ts'

/** The maximum number of scripts that run in a process at the same time. */
const maxRunning = 16

/**
 * Runs the scripts of agents, each in its own sandbox. `error` says why scripts cannot run on this machine.
 * They never run without a sandbox.
 */
export function scriptsWith({ error }: { error: string | undefined }): Scripts {
  let running = 0
  return {
    error,
    async run(order: ScriptRequest): Promise<ScriptRun> {
      if (error !== undefined) throw new ToolError(scriptsOffReason(error))
      if (running >= maxRunning)
        throw new ToolError(
          `Limit reached: ${running} scripts are already running on this server. Try again in a minute.`
        )
      running += 1
      try {
        return await runScript(order)
      } finally {
        running -= 1
      }
    }
  }
}

const noMemoryLimit =
  'this kernel does not list child processes (CONFIG_PROC_CHILDREN), so their memory cannot be limited.'

/**
 * Runs a test script to check that scripts work on this machine and cannot see `hidden`. Returns undefined, or
 * a sentence that says why not.
 */
export async function scriptError(hidden?: readonly HiddenPath[]): Promise<string | undefined> {
  const exposure = exposureOf(exposedPaths({ network: false, readOnly: [], readWrite: [] }), hidden)
  if (exposure !== undefined) return exposure
  const script = 'process.stdout.write((await $`echo well`).stdout)'
  try {
    sweepMemoryGroups()
    const ask = async () => undefined
    const run = await runScript({ script, seconds: 20, signal: AbortSignal.timeout(30_000), ask })
    if (run.exitCode === 0 && run.stdout === 'well\n')
      return existsSync('/proc/thread-self/children') ? undefined : noMemoryLimit
    return `a test script failed: ${run.note ?? (run.stderr.trim().slice(0, 300) || `exit code ${run.exitCode}`)}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
