import { z } from 'zod'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { Duration } from '#lib/protocol/duration.ts'

const Config = z.strictObject({ duration: Duration.default(1) })

/** The wikis of a workspace, as an agent is told of them. */
export type WikisOf = (workspaceId: string) => Promise<{ name: string; tiddlers: number }[]>

/**
 * Tells an agent that has wiki tools which wikis there are (001-12), so that it searches where something is; and keeps what
 * they bring in the prompt for a round only, or as its configuration says: what is found is read once and spoken of.
 */
export const wikiSearch = (wikisOf: WikisOf): Plugin<z.output<typeof Config>> => ({
  name: 'wiki-search',
  description:
    'Tells the agent which wikis there are, and keeps what wiki tools bring for some rounds: {"duration": 1}.',
  config: Config,
  hooks: ({ duration }) => ({
    async beforeModel(prompt, { workspaceId }) {
      const tools = prompt.tools.filter(isOfWikis)
      if (tools.length === 0) return undefined
      const wikis = await wikisOf(workspaceId)
      const list = wikis.map(({ name, tiddlers }) => `- ${name} (${tiddlers} tiddlers)`).join('\n')
      const said =
        wikis.length === 0
          ? 'There is no wiki in this workspace yet.'
          : `The wikis of this workspace, which ${tools.join(', ')} read${tools.length === 1 ? 's' : ''}:\n${list}`
      return { change: { ...prompt, instructions: `${prompt.instructions}\n\n${said}` } }
    },
    afterTool: ran => (isOfWikis(ran.toolName) ? { change: { ...ran, duration } } : undefined)
  })
})

const isOfWikis = (tool: string): boolean => tool.startsWith('wiki-')
