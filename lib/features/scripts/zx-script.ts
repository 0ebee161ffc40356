import { ToolError } from '@waystation/base/known-error.ts'
import { ScriptInput, ScriptResult } from '@waystation/protocol/call/script.ts'
import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { scriptsOffReason } from '@waystation/sandbox'
import { z } from 'zod'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'

const Output = z.object({
  ...ScriptResult.shape,
  cut: z.literal(true).optional(),
  timedOut: z.literal(true).optional()
})
type Output = z.infer<typeof Output>

/** The functions that scripts can call, by name. Each throws an error whose message is for the script. */
export type ScriptFunctions = Record<string, (run: ToolRun, input: unknown) => Promise<unknown>>

const scriptsOff = 'Scripts are off on this server. The operator can switch them on with WAYSTATION_ZX=1.'

/** Returns the time for a script whose tool has this timeout. It ends earlier, so that its output is not lost. */
const secondsIn = (timeoutMs: number) => Math.round(Math.max(timeoutMs - 2000, timeoutMs / 2) / 100) / 10

/**
 * Returns the tool that runs an agent's script in a sandbox (001-20), without network, files of this server
 * or state between runs. Each script needs approval, regardless of other settings. A script that fails is a
 * normal result, not a tool error.
 */
export const zxScript = (functions: ScriptFunctions): Tool<ScriptInput, Output> => ({
  name: scriptTool,
  description:
    'Run a script in a closed sandbox, to compute a result or to process text. Write JavaScript with zx 8 ($, fs, path, glob, YAML, …). Bash and the system programs are available. The script has no network and no access to the files of this server. It starts in an empty folder that is deleted afterwards. Print the results you need. To read the wikis of this workspace, use `await wiki.search(words)`, `wiki.get(title)`, `wiki.list()`, `wiki.backlinks(title)`, `wiki.toc()` and `wiki.filter(expression)`. To change them, use `await wiki.put(title, {text, addTags})`, `wiki.rename(title, newTitle)` and `wiki.delete(title)`. They take the arguments of your tools wiki-write, wiki-rename and wiki-delete, and fail if such a call needs approval. An approver reads each script before it runs: keep it short and plain.',
  input: z.object(ScriptInput.shape),
  output: Output,
  where: 'server',
  title: () => 'Run a script',
  approval: 'ask',
  alwaysAsked: true,
  // Longer than the maximum time of a script, whose own timeout gives a better result.
  timeout: 130,
  off: ({ scripts }) =>
    scripts === undefined ? scriptsOff : scripts.error && scriptsOffReason(scripts.error),
  async execute({ script, timeoutSeconds = 30 }, run) {
    const { scripts } = run.ctx.ports
    if (scripts === undefined) throw new ToolError(scriptsOff)
    return scripts.run({
      script,
      seconds: Math.min(timeoutSeconds, secondsIn(run.timeoutMs)),
      signal: run.signal,
      ask: (method, input) => {
        const fn = Object.hasOwn(functions, method) ? functions[method] : undefined
        if (fn === undefined) throw new ToolError(`There is no function "${method}".`)
        return fn(run, input)
      }
    })
  }
})
