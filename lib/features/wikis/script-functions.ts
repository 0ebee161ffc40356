import { ToolError } from '@waystation/base/known-error.ts'
import { problemText } from '@waystation/protocol/field-errors.ts'
import {
  WikiBacklinks,
  WikiDelete,
  WikiFilter,
  WikiListTiddlers,
  WikiRename,
  WikiSearch,
  WikiToc,
  WikiWrite
} from '@waystation/protocol/wiki/wiki-tools.ts'
import { z } from 'zod'
import type { ToolRun } from '#lib/tools/tool.ts'
import { wikiReader } from './wiki-reader.ts'
import {
  deleteTiddler,
  renameTiddler,
  wikiDelete,
  wikiRename,
  wikiWrite,
  writeTiddler
} from './write-tools.ts'

const TiddlerRef = z.strictObject({ title: z.string().min(1), wiki: z.string().optional() })

const readerFor = ({ ctx, call }: ToolRun) => wikiReader(ctx, call.wikis)

/**
 * Checks that the agent could call a tool with these arguments without an approval. Returns the wikis in its
 * configuration of the tool. Throws an error for the script.
 */
export type CheckCall = (
  run: ToolRun,
  toolName: string,
  input: unknown
) => Promise<readonly string[] | undefined>

/** The wiki functions that scripts can call, such as `wiki.search(words)` (001-20). */
export const wikiFunctions = (checkCall: CheckCall) => ({
  search: async (run: ToolRun, input: unknown) => readerFor(run).search(parsed(WikiSearch, input)),
  async get(run: ToolRun, input: unknown) {
    const { title, wiki } = parsed(TiddlerRef, input)
    const { tiddlers } = await readerFor(run).search(
      parsed(WikiSearch, { title, ...(wiki !== undefined && { wiki }) })
    )
    return tiddlers[0]
  },
  async list(run: ToolRun, input: unknown) {
    const { wiki, ...filter } = parsed(WikiListTiddlers, input)
    return readerFor(run).list(wiki, { order: 'title', ...filter })
  },
  backlinks: async (run: ToolRun, input: unknown) => readerFor(run).backlinks(parsed(WikiBacklinks, input)),
  toc: async (run: ToolRun, input: unknown) => readerFor(run).toc(parsed(WikiToc, input)),
  filter: async (run: ToolRun, input: unknown) => readerFor(run).filter(parsed(WikiFilter, input)),
  put: async (run: ToolRun, input: unknown) =>
    writeTiddler(run, parsed(WikiWrite, input), await permission(checkCall, run, wikiWrite.name, input)),
  rename: async (run: ToolRun, input: unknown) =>
    renameTiddler(run, parsed(WikiRename, input), await permission(checkCall, run, wikiRename.name, input)),
  delete: async (run: ToolRun, input: unknown) =>
    deleteTiddler(run, parsed(WikiDelete, input), await permission(checkCall, run, wikiDelete.name, input))
})

/** The number of changes that a running script has requested. */
const requested = new WeakMap<ToolRun, number>()

/** Returns the number of a script's change, and the wikis that both the script and the tool can use. */
async function permission(checkCall: CheckCall, run: ToolRun, toolName: string, input: unknown) {
  const part = requested.get(run) ?? 0
  requested.set(run, part + 1)
  const ofTool = await checkCall(run, toolName, input)
  const { wikis = ofTool } = run.call
  return { part, allowed: ofTool === undefined ? wikis : wikis?.filter(wiki => ofTool.includes(wiki)) }
}

function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const { data, error } = schema.safeParse(input)
  if (error !== undefined) throw new ToolError(`The arguments are not valid: ${problemText(error)}`)
  return data as T
}
