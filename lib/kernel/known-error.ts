const kinds: unique symbol = Symbol.for('waystation.error')

/**
 * An error that this server expects. Its message is a sentence for whoever asked, a person or a model: it says what to do next
 * and never carries a stack or a secret. `cause` is for the server's log. Everything else that is thrown is a bug: it is logged,
 * and nobody is told its words.
 *
 * Each class below it names its `kind`. `instanceof` compares kinds, because the server and Next's bundle have a copy of each
 * class (docs/concepts/engine.md#processes): what one throws the other knows.
 */
export abstract class KnownError extends Error {
  static readonly kind: string = 'KnownError'
  readonly [kinds]: readonly string[]

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class below asks for its own kind
    return typeof value === 'object' && value !== null && kinds in value && kindsIn(value).includes(this.kind)
  }

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    const own: string[] = []
    for (let one: unknown = new.target; typeof one === 'function'; one = Object.getPrototypeOf(one))
      if (Object.hasOwn(one, 'kind')) own.push((one as unknown as typeof KnownError).kind)
    this.name = own[0] ?? 'KnownError'
    this[kinds] = own
  }
}

const kindsIn = (value: object) => (value as Record<typeof kinds, readonly string[]>)[kinds]

/** A tool's call came to nothing. The model reads why, as the call's result. */
export class ToolError extends KnownError {
  static override readonly kind: string = 'ToolError'
}
