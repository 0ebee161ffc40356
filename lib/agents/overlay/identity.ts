/**
 * What makes an item of a list the same as one of another list: the operation it names (`op`), else what it embeds, else its
 * name; of anything else its whole value, whatever the order of its fields.
 */
export function identityOf(item: unknown): string {
  if (!isObject(item)) return `value:${canonical(item)}`
  if (typeof item.op === 'string') return `op:${item.op}`
  const embed = isObject(item['@ag.embed']) ? item['@ag.embed'] : {}
  const references = isObject(embed['@ag.references']) ? embed['@ag.references'] : {}
  for (const family of ['workflow', 'agent']) {
    const target = references[family]
    if (!isObject(target)) continue
    if (typeof target.slug === 'string') return `${family}:${target.slug}`
    if (typeof target.id === 'string') return `${family} id:${target.id}`
  }
  if (typeof item.name === 'string') return `name:${item.name}`
  return `value:${canonical(item)}`
}

/** JSON in which equal values are equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
  )

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
