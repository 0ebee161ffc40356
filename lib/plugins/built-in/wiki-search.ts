import { Duration } from '@waystation/protocol/duration.ts'
import { z } from 'zod'
import type { Plugin } from '#lib/plugins/plugin.ts'

const Config = z.strictObject({ duration: Duration.default(1) })

/** Returns the wikis of a workspace, with the data that agents see. */
export type WikisOf = (workspaceId: string) => Promise<{ name: string; tiddlers: number }[]>

/**
 * Lists the readable wikis in the prompt of an agent with wiki tools (001-12), so that it searches the right
 * ones. Wiki results stay in the prompt for one step, or for the configured number: the model reads them once
 * and answers.
 */
export const wikiSearch = (wikisOf: WikisOf): Plugin<z.output<typeof Config>> => ({
  name: 'wiki-search',
  description:
    'Tells the agent which wikis it can read. Sets for how many steps wiki results stay in the prompt: {"duration": 1}.',
  config: Config,
  hooks: ({ duration }) => ({
    async beforeModel(prompt, { workspaceId, wikiTools }) {
      const tools = prompt.tools.map(({ name }) => name).filter(name => wikiTools.has(name))
      if (tools.length === 0) return undefined
      const wikis = await wikisOf(workspaceId)
      // Tools with the same wikis share one list.
      const lists = Map.groupBy(tools, name => listOf(wikis, wikiTools.get(name)))
      const paragraphs = [...lists].map(([list, names]) =>
        list === ''
          ? `There is no wiki that you can read with ${names.join(', ')}.`
          : `You can read these wikis with ${names.join(', ')}:\n${list}`
      )
      return { change: { ...prompt, instructions: [prompt.instructions, ...paragraphs].join('\n\n') } }
    },
    afterTool: (call, { wikiTools }) =>
      wikiTools.has(call.toolName) ? { change: { ...call, duration } } : undefined
  })
})

/** Returns the list of the wikis that a tool can read. `allowed` null: all wikis of the workspace. */
const listOf = (wikis: Awaited<ReturnType<WikisOf>>, allowed: readonly string[] | null | undefined): string =>
  wikis
    .filter(({ name }) => allowed?.includes(name) ?? true)
    .map(({ name, tiddlers }) => `- ${name} (${tiddlers} tiddlers)`)
    .join('\n')
