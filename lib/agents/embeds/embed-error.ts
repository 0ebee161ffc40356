import { ApiError } from '@waystation/base/api-error.ts'

/** The error kinds of embeds, documented in docs/embeds.md. */
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
export type EmbedErrorKind = (typeof embedErrors)[number]

/** An embed that cannot be resolved. `kind` is for programs. The message names the embed's location and the problem. */
export class EmbedError extends ApiError {
  static override readonly kind: string = 'EmbedError'
  readonly kind: EmbedErrorKind

  constructor(kind: EmbedErrorKind, place: string, sentence: string) {
    const location = place === '' ? '' : ` at "${place}"`
    super('INVALID_INPUT', `The embed${location} is invalid: ${sentence}`, { fields: { [place]: sentence } })
    this.kind = kind
  }
}

/** Returns the placeholder that replaces an invalid embed under the policy `placeholder`. */
export const placeholderOf = (kind: EmbedErrorKind): string => `<error:${kind}>`
