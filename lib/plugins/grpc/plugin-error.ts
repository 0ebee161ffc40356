/**
 * Why a plugin brought no answer.
 *
 * - `unavailable`: it cannot be reached, or was gone before it had answered; whether it did what it was asked is not known.
 * - `late`: it had not answered in time. `stopped`: whoever called gave up.
 * - `too-large`: its answer, or what it was sent, is over a limit.
 * - `blocked`: its address is one that nothing here may call.
 * - `missing`: it does not have that call. `refused`: it answered with a failure that the same request meets again, in its own
 *   words; `unauthorized`: it does not accept the credential. `busy`: it has no room now. `failed`: it failed, and does not say
 *   whether a retry helps.
 * - `invalid`: what it answered is not what it should be.
 */
export type PluginFault =
  | 'unavailable'
  | 'late'
  | 'stopped'
  | 'too-large'
  | 'blocked'
  | 'missing'
  | 'refused'
  | 'unauthorized'
  | 'busy'
  | 'failed'
  | 'invalid'

const brand: unique symbol = Symbol.for('waystation.PluginError')

/** The one error of a plugin's calls. The message is a sentence for a person or a model; `cause` is for the server's log. */
export class PluginError extends Error {
  readonly [brand] = true
  readonly fault: PluginFault

  /** The server and Next's bundle have a copy of this class each (docs/concepts/engine.md#processes): what one throws the other knows. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }

  constructor(fault: PluginFault, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'PluginError'
    this.fault = fault
  }
}
