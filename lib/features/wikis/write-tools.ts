import { WikiChanged } from '@waystation/protocol/wiki/wiki-changed.ts'
import { WikiDelete, WikiRename, WikiWrite } from '@waystation/protocol/wiki/wiki-tools.ts'
import { z } from 'zod'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { changeWiki } from './change-wiki.ts'
import { planDelete, planRename, planWrite } from './plan-edits.ts'
import { askerOf, wikiFor } from './store.ts'

type How = Parameters<typeof changeWiki>[3]

export const writeTiddler = (run: ToolRun, { wiki, ...input }: WikiWrite, how?: How) =>
  changeWiki(run, wiki, () => planWrite(input, run.call.speakerId), how)

export const renameTiddler = (run: ToolRun, { wiki, ...input }: WikiRename, how?: How) =>
  changeWiki(
    run,
    wiki,
    async name => {
      const { revision } = await wikiFor(run.ctx, name)
      return planRename(input, run.call.speakerId, { revision, ask: await askerOf(run.ctx, name) })
    },
    how
  )

export const deleteTiddler = (run: ToolRun, { wiki, ...input }: WikiDelete, how?: How) =>
  changeWiki(run, wiki, () => planDelete(input), how)

/** Common settings of these tools. A call that runs again finds the change that it has made. */
const changing = {
  where: 'server',
  timeout: 60,
  repeatable: true,
  approval: 'ask',
  output: z.object(WikiChanged.shape)
} as const

/** Names the wiki for the person who approves the call, if the call or the agent's configuration says which one. */
const inWiki = (
  wiki: string | undefined,
  { wikis = [] }: { wikis?: readonly string[] | undefined }
): string => {
  const name = wiki ?? (wikis.length === 1 ? wikis[0] : undefined)
  return name === undefined ? '' : ` in ${name}`
}

/** The tool that creates or changes a tiddler (001-20). */
export const wikiWrite: Tool<WikiWrite, WikiChanged> = {
  ...changing,
  name: 'wiki-write',
  description:
    'Create a tiddler (page) of a wiki, or change its text, tags or fields. Parts that you omit stay as they are. The text is TiddlyWiki wikitext.',
  input: WikiWrite,
  title: ({ title, wiki }, config) => `Write ${title.slice(0, 150)}${inWiki(wiki, config)}`,
  execute: (input, run) => writeTiddler(run, input)
}

/** The tool that renames a tiddler. */
export const wikiRename: Tool<WikiRename, WikiChanged> = {
  ...changing,
  name: 'wiki-rename',
  description: 'Rename a tiddler of a wiki. Links and tags in other tiddlers are changed too.',
  input: WikiRename,
  title: ({ title, newTitle, wiki }, config) =>
    `Rename ${title.slice(0, 100)} to ${newTitle.slice(0, 100)}${inWiki(wiki, config)}`,
  execute: (input, run) => renameTiddler(run, input)
}

/** The tool that deletes a tiddler. */
export const wikiDelete: Tool<WikiDelete, WikiChanged> = {
  ...changing,
  name: 'wiki-delete',
  description: 'Delete a tiddler of a wiki.',
  input: WikiDelete,
  title: ({ title, wiki }, config) => `Delete ${title.slice(0, 150)}${inWiki(wiki, config)}`,
  execute: (input, run) => deleteTiddler(run, input)
}
