import { z } from 'zod'
import { ScriptInput, scriptTool } from '#lib/protocol/call/script.ts'
import { WikiBacklinks, WikiListTiddlers, WikiSearch, WikiToc } from '#lib/protocol/wiki/wiki-tools.ts'
import type { Tool, WikiReader } from '#lib/tools/tool.ts'

const Output = z.object({
  exitCode: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  cut: z.literal(true).optional(),
  timedOut: z.literal(true).optional(),
  note: z.string().optional(),
  seconds: z.number()
})
type Output = z.infer<typeof Output>

/**
 * Runs a script of the agent's in a sandbox (001-20): no network, no file of this server, nothing that outlives it. A person
 * approves each one as it is written, whatever else is set. A script that fails is an answer, as one that succeeds.
 */
export const zxScript: Tool<ScriptInput, Output> = {
  name: scriptTool,
  description:
    'Run a script in a closed sandbox, to compute a result or to process text. Write JavaScript with zx 8 ($, fs, path, glob, YAML, …). Bash and the system programs are available. The script has no network and no access to the files of this server. It starts in an empty folder that is deleted afterwards. Print the results you need. To read the wikis of this workspace, use `await wiki.search(words)`, `wiki.get(title)`, `wiki.list()`, `wiki.backlinks(title)` and `wiki.toc()`. An approver reads each script before it runs: keep it short and plain.',
  input: ScriptInput,
  output: Output,
  where: 'server',
  title: () => 'Run a script',
  approval: 'ask',
  alwaysAsked: true,
  // Longer than a script's own longest time, which tells more when it is over.
  timeout: 130,
  execute: ({ script, timeoutSeconds = 30 }, { runScript, signal, wikis }) =>
    runScript({
      script,
      seconds: timeoutSeconds,
      signal,
      ask: (method, input) => {
        const known = Object.hasOwn(questions, method)
          ? questions[method as keyof typeof questions]
          : undefined
        if (known === undefined) throw new Error(`There is no function "${method}".`)
        return known(wikis, input)
      }
    })
}

const Named = z.strictObject({ title: z.string().min(1), wiki: z.string().optional() })

/** What a script may ask of its host: to read, and nothing else. */
const questions = {
  search: (wikis, input) => wikis.search(parsed(WikiSearch, input)),
  async get(wikis, input) {
    const { title, wiki } = parsed(Named, input)
    const { tiddlers } = await wikis.search(
      parsed(WikiSearch, { title, ...(wiki !== undefined && { wiki }) })
    )
    return tiddlers[0]
  },
  async list(wikis, input) {
    const { wiki, ...asked } = parsed(WikiListTiddlers, input)
    return wikis.list(wiki, { order: 'title', ...asked })
  },
  backlinks: (wikis, input) => wikis.backlinks(parsed(WikiBacklinks, input)),
  toc: (wikis, input) => wikis.toc(parsed(WikiToc, input))
} satisfies Record<string, (wikis: WikiReader, input: unknown) => Promise<unknown>>

function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const { data, error } = schema.safeParse(input)
  if (error !== undefined) throw new Error(`The arguments are not valid: ${z.prettifyError(error)}`)
  return data as T
}
