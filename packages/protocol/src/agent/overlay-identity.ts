import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/**
 * Returns a key that identifies an item of a list when lists are merged: its operation (`op`), else its embed's target,
 * else its name. For any other item it is the whole value, regardless of the order of fields.
 */
export function identityOf(item: unknown): string {
  if (!isJsonObject(item)) return `value:${canonicalJson(item)}`
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
  return `value:${canonicalJson(item)}`
}
