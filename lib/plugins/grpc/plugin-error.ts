import { KnownError } from '#lib/kernel/known-error.ts'

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

/** The one error of a plugin's calls. */
export class PluginError extends KnownError {
  static override readonly kind: string = 'PluginError'
  readonly fault: PluginFault

  constructor(fault: PluginFault, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.fault = fault
  }
}
