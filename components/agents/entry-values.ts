import type { CatalogueEntry } from '@waystation/protocol/agent/catalogue.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/**
 * The values of the form of a catalog entry. It has the parameters of both kinds, so that the user can switch. The tool is
 * a text while its JSON has a syntax error.
 */
export type EntryValues = {
  slug: string
  kind: 'tool' | 'skill'
  name: string
  description: string
  data: { parameters: { tool: Record<string, unknown> | string; text: string } }
}

/** Returns the slug that a name leads to. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64) || 'entry'

const newTool = {
  name: '',
  where: 'external',
  description: '',
  url: '',
  inputSchema: { type: 'object', properties: {} }
}

/** Returns the values of the form for an own entry, or for a new one. */
export function valuesOf(entry: CatalogueEntry | undefined): EntryValues {
  const { tool: saved = newTool, text = '' } = (entry?.data.parameters ?? {}) as {
    tool?: Record<string, unknown>
    text?: string
  }
  // A tool without a text of its own has the entry's description.
  const tool = saved.description === entry?.description ? { ...saved, description: '' } : saved
  return {
    slug: entry?.slug ?? '',
    kind: entry?.kind === 'skill' ? 'skill' : 'tool',
    name: entry?.name ?? '',
    description: entry?.description ?? '',
    data: { parameters: { tool, text } }
  }
}

/**
 * Returns the entry that the server receives. It can be invalid. Fields of another place than the tool's are left out.
 * The name is the default of the slug and the tool's name, and the description that of the tool's.
 */
export function entryOf({ data, slug, ...rest }: EntryValues): { slug: string; data: object } {
  const common = { ...rest, slug: slug || slugOf(rest.name) }
  const { tool, text } = data.parameters
  if (common.kind === 'skill') return { ...common, data: { parameters: { text } } }
  if (!isJsonObject(tool)) return { ...common, data: { parameters: { tool } } }
  const { url, retries, render, ...fields } = tool
  const texts = { name: tool.name || common.slug, description: tool.description || common.description }
  const ofPlace =
    tool.where === 'browser' ? { render } : { url, ...(retries === undefined ? {} : { retries }) }
  return { ...common, data: { parameters: { tool: { ...fields, ...texts, ...ofPlace } } } }
}
