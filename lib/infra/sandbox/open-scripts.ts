import { existsSync } from 'node:fs'
import { ToolError } from '#lib/kernel/known-error.ts'
import { offBecause, type ScriptOrder, type ScriptRun, type Scripts } from '#lib/kernel/ports/scripts.ts'
import { exposureOf, type HiddenPath } from './hidden-paths.ts'
import { sweepMemoryGroups } from './memory-group.ts'
import { runScript } from './run-script.ts'
import { boundBy } from './sandbox.ts'

/** How many scripts may run in a process at once. */
const most = 16

/** Scripts of agents, each in a sandbox of its own. `fault`: why none can be run here; there is no other way to run them. */
export function scriptsWith({ fault }: { fault: string | undefined }): Scripts {
  let running = 0
  return {
    fault,
    async run(order: ScriptOrder): Promise<ScriptRun> {
      if (fault !== undefined) throw new ToolError(offBecause(fault))
      if (running >= most)
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

const unwatched =
  'this kernel does not list child processes (CONFIG_PROC_CHILDREN), so their memory cannot be limited.'

/** Whether scripts can be run here and see nothing of `hidden`, by running one: undefined, or why not, as a sentence. */
export async function scriptFault(hidden?: readonly HiddenPath[]): Promise<string | undefined> {
  const exposure = exposureOf(boundBy({ network: false, readOnly: [], readWrite: [] }), hidden)
  if (exposure !== undefined) return exposure
  const script = 'process.stdout.write((await $`echo well`).stdout)'
  try {
    sweepMemoryGroups()
    const ask = async () => undefined
    const run = await runScript({ script, seconds: 20, signal: AbortSignal.timeout(30_000), ask })
    if (run.exitCode === 0 && run.stdout === 'well\n')
      return existsSync('/proc/thread-self/children') ? undefined : unwatched
    return `a test script failed: ${run.note ?? (run.stderr.trim().slice(0, 300) || `exit code ${run.exitCode}`)}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
