import { Embed, EmbedReferences } from '@waystation/protocol/agent/embed.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { z } from 'zod'
import { EmbedError } from './embed-error.ts'

/** Parses the value of `@ag.embed`, or an embed in a text. Throws `MixedFamilies` or `MalformedEmbed`. */
export const parseEmbed = (value: unknown, path: string): Embed => {
  if (isJsonObject(value)) rejectMixed(value['@ag.references'], path)
  return parse(Embed, value, path)
}

function rejectMixed(references: unknown, path: string): void {
  const families = isJsonObject(references) ? Object.keys(references).filter(isFamily) : []
  if (families.length > 1)
    throw new EmbedError(
      'MixedFamilies',
      path,
      `it refers to ${families.map(name => `${name === 'agent' ? 'an' : 'a'} ${name}`).join(' and ')}. Remove one of the two, or use two embeds.`
    )
}

const isFamily = (name: string) => Object.hasOwn(EmbedReferences.shape, name)

function parse<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const location = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new EmbedError('MalformedEmbed', path, `${location}${issue?.message ?? 'unexpected format'}.`)
}
