import { ToolError } from '@waystation/base/known-error.ts'
import { WikiBacklinks, WikiListTiddlers, WikiSearch, WikiToc } from '@waystation/protocol/wiki/wiki-tools.ts'
import { z } from 'zod'
import type { ToolRun } from '#lib/tools/tool.ts'
import { wikiReader } from './wiki-reader.ts'

const TiddlerRef = z.strictObject({ title: z.string().min(1), wiki: z.string().optional() })

const readerFor = ({ ctx, call }: ToolRun) => wikiReader(ctx, call.wikis)

/** The wiki functions that scripts can call, such as `wiki.search(words)` (001-20). */
export const wikiFunctions = {
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
  toc: async (run: ToolRun, input: unknown) => readerFor(run).toc(parsed(WikiToc, input))
}

function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const { data, error } = schema.safeParse(input)
  if (error !== undefined) throw new ToolError(`The arguments are not valid: ${z.prettifyError(error)}`)
  return data as T
}
