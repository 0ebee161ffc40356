import { Refusal } from '#lib/kernel/refusal.ts'

/** What can be wrong with an embed (docs/embeds.md has a line for each). */
export const embedErrors = [
  'MalformedEmbed',
  'MixedFamilies',
  'UnknownReference',
  'NotEmbeddable',
  'PathNotFound',
  'CircularReference',
  'NotAnObject',
  'NotText',
  'NotATool',
  'TooDeep',
  'TooManyEmbeds',
  'TooLarge'
] as const
export type EmbedError = (typeof embedErrors)[number]

/** An embed that cannot be resolved: `kind` for programs, a sentence that names it and its place for people. */
export class EmbedRefusal extends Refusal {
  static override readonly kind: string = 'EmbedRefusal'
  readonly kind: EmbedError

  constructor(kind: EmbedError, place: string, sentence: string) {
    const at = place === '' ? '' : ` at "${place}"`
    super('INVALID_INPUT', `The embed${at} is invalid: ${sentence}`, { fields: { [place]: sentence } })
    this.kind = kind
  }
}

/** What one of these policies puts in the place of such an embed. */
export const placeholderOf = (kind: EmbedError): string => `<error:${kind}>`
