const kinds: unique symbol = Symbol.for('waystation.error')

/**
 * An error that this server expects. Its message is for a user or a model: it says what to do next, and contains no
 * stack trace or secret. `cause` is for the log. All other errors are bugs: they are logged, and their messages are not
 * shown.
 * Each subclass sets its `kind`. `instanceof` compares kinds, because the server and Next's bundle each have a copy of
 * these classes (docs/concepts/engine.md#processes-and-versions). So it works across copies.
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
    const kindNames: string[] = []
    for (
      let ancestor: unknown = new.target;
      typeof ancestor === 'function';
      ancestor = Object.getPrototypeOf(ancestor)
    )
      if (Object.hasOwn(ancestor, 'kind')) kindNames.push((ancestor as unknown as typeof KnownError).kind)
    this.name = kindNames[0] ?? 'KnownError'
    this[kinds] = kindNames
  }
}

const kindsIn = (value: object) => (value as Record<typeof kinds, readonly string[]>)[kinds]

/** A tool call failed. The model reads the message as the call's result. */
export class ToolError extends KnownError {
  static override readonly kind: string = 'ToolError'
}
