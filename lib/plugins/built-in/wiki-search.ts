import { z } from 'zod'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { Duration } from '#lib/protocol/duration.ts'

const Config = z.strictObject({ duration: Duration.default(1) })

/** The wikis of a workspace, as an agent is told of them. */
export type WikisOf = (workspaceId: string) => Promise<{ name: string; tiddlers: number }[]>

/**
 * Tells an agent that has wiki tools which wikis they can read (001-12), so that it searches where something is; and keeps what
 * they bring in the prompt for a round only, or as its configuration says: what is found is read once and spoken of.
 */
export const wikiSearch = (wikisOf: WikisOf): Plugin<z.output<typeof Config>> => ({
  name: 'wiki-search',
  description:
    'Tells the agent which wikis it can read. Sets for how many steps wiki results stay in the prompt: {"duration": 1}.',
  config: Config,
  hooks: ({ duration }) => ({
    async beforeModel(prompt, { workspaceId, wikiTools }) {
      const tools = prompt.tools.filter(name => wikiTools.has(name))
      if (tools.length === 0) return undefined
      const wikis = await wikisOf(workspaceId)
      // Tools that read the same wikis share a list.
      const lists = Map.groupBy(tools, name => listOf(wikis, wikiTools.get(name)))
      const said = [...lists].map(([list, names]) =>
        list === ''
          ? `There is no wiki that you can read with ${names.join(', ')}.`
          : `You can read these wikis with ${names.join(', ')}:\n${list}`
      )
      return { change: { ...prompt, instructions: [prompt.instructions, ...said].join('\n\n') } }
    },
    afterTool: (ran, { wikiTools }) =>
      wikiTools.has(ran.toolName) ? { change: { ...ran, duration } } : undefined
  })
})

/** Those of the workspace's wikis that a tool reads; `allowed` null: all of them. */
const listOf = (wikis: Awaited<ReturnType<WikisOf>>, allowed: readonly string[] | null | undefined): string =>
  wikis
    .filter(({ name }) => allowed?.includes(name) ?? true)
    .map(({ name, tiddlers }) => `- ${name} (${tiddlers} tiddlers)`)
    .join('\n')
