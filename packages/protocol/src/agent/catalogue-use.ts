import type { AgentConfig, AgentTool, EmbeddedSkill } from './agent.ts'
import { isBuiltIn } from './agent.ts'
import type { CatalogueItem } from './catalogue.ts'
import { isSame } from './config-diff.ts'
import type { EmbedReferences } from './embed.ts'
import { readText } from './read-embeds.ts'

type Offer = Pick<CatalogueItem, 'slug' | 'kind' | 'name' | 'version' | 'toolName' | 'embeddable' | 'own'>

/** The value that adds an entry to an agent, and the list of the configuration that it belongs to. */
export type CatalogueUse = { list: 'tools'; value: AgentTool } | { list: 'skills'; value: EmbeddedSkill }

/**
 * Returns how an agent uses an entry, or undefined if no agent can. The embed of a workspace's own entry names the
 * version, so that later versions do not change the agent.
 */
export function useOf({
  slug,
  kind,
  name,
  version,
  toolName,
  embeddable,
  own
}: Offer): CatalogueUse | undefined {
  if (kind === 'tool' && !embeddable) return { list: 'tools', value: { name: slug } }
  if (!embeddable) return undefined
  const workflow = own && version !== undefined ? { slug, version } : { slug }
  const embed = (path: string) => ({
    '@ag.embed': { '@ag.references': { workflow }, '@ag.selector': { path } }
  })
  return kind === 'skill'
    ? { list: 'skills', value: { ...embed('parameters'), name } }
    : {
        list: 'tools',
        value: { ...embed('parameters.tool'), ...(toolName === undefined ? {} : { name: toolName }) }
      }
}

/**
 * Returns an agent's configuration with an entry. If the agent embeds another version, only the embed is replaced, and
 * the agent's own settings for it stay. Undefined if the agent has the entry in this version, or cannot have it.
 */
export function withUse(config: AgentConfig, { list, value }: CatalogueUse): AgentConfig | undefined {
  if (config.type !== 'chat') return undefined
  const items: readonly (AgentTool | EmbeddedSkill)[] = config.chat[list] ?? []
  const at = items.findIndex(item => targetOf(item) === targetOf(value))
  const old = items[at]
  if (old === undefined) return { ...config, chat: { ...config.chat, [list]: [...items, value] } }
  if (!('@ag.embed' in old && '@ag.embed' in value) || isSame(old['@ag.embed'], value['@ag.embed']))
    return undefined
  const next = { ...old, '@ag.embed': value['@ag.embed'] }
  return { ...config, chat: { ...config.chat, [list]: items.with(at, next as AgentTool) } }
}

/** Returns the slug of the entry that an item of a configuration uses. */
const targetOf = (item: AgentTool | EmbeddedSkill): string | undefined =>
  '@ag.embed' in item
    ? item['@ag.embed']['@ag.references'].workflow?.slug
    : isBuiltIn(item)
      ? item.name
      : undefined

/** A reference of an agent to an entry. `key` is the entry's slug, or its URI without the version. */
type EntryReference = { key: string; version?: string }

/** Returns the part of a URI that all versions of an entry share. */
export const unversioned = (uri: string): string => uri.replace(/:v\d+$/, '')

/** Returns the references of an agent's configuration to the catalog: built-in tools by name, and embeds. */
export function catalogueReferences(config: AgentConfig): EntryReference[] {
  if (config.type !== 'chat') return []
  const { instructions, tools, skills = [] } = config.chat
  const fromTools = tools.flatMap(tool => (isBuiltIn(tool) ? [{ key: tool.name }] : []))
  const fromEmbeds = [...tools, ...skills].flatMap(item =>
    '@ag.embed' in item ? referenceOf(item['@ag.embed']['@ag.references']) : []
  )
  const fromText = readText(instructions).pieces.flatMap(piece =>
    'embed' in piece && piece.embed ? referenceOf(piece.embed['@ag.references']) : []
  )
  return [...fromTools, ...fromEmbeds, ...fromText]
}

function referenceOf({ workflow }: EmbedReferences): EntryReference[] {
  if (workflow === undefined) return []
  const { id, slug } = workflow
  const idVersion =
    id === undefined || id === unversioned(id) ? undefined : id.slice(unversioned(id).length + 1)
  const version = workflow.version ?? workflow.revision ?? idVersion
  const key = slug ?? unversioned(id ?? '')
  return [{ key, ...(version === undefined ? {} : { version: String(version) }) }]
}
