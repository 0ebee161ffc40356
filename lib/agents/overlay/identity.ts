import canonicalize from 'canonicalize'
import { isJsonObject } from '#lib/protocol/json-object.ts'

/**
 * What makes an item of a list the same as one of another list: the operation it names (`op`), else what it embeds, else its
 * name; of anything else its whole value, whatever the order of its fields.
 */
export function identityOf(item: unknown): string {
  if (!isJsonObject(item)) return `value:${canonicalize(item)}`
  if (typeof item.op === 'string') return `op:${item.op}`
  const embed = isJsonObject(item['@ag.embed']) ? item['@ag.embed'] : {}
  const references = isJsonObject(embed['@ag.references']) ? embed['@ag.references'] : {}
  for (const family of ['workflow', 'agent']) {
    const target = references[family]
    if (!isJsonObject(target)) continue
    if (typeof target.slug === 'string') return `${family}:${target.slug}`
    if (typeof target.id === 'string') return `${family} id:${target.id}`
  }
  if (typeof item.name === 'string') return `name:${item.name}`
  return `value:${canonicalize(item)}`
}
