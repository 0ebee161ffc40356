import { KnownError } from '@waystation/base/known-error.ts'

/**
 * Why a call to a plugin failed.
 *
 * - `unavailable`: it cannot be reached, or it was lost before it answered. The call may have taken effect.
 * - `late`: it did not answer in time. `stopped`: the caller gave up.
 * - `too-large`: its answer or the request exceeds a limit.
 * - `blocked`: the egress policy forbids its address.
 * - `missing`: it does not implement the call. `refused`: it rejected the call, and a retry would not help.
 *   `unauthorized`: it rejected the credentials. `busy`: it has no capacity now. `failed`: it failed, and a
 *   retry may or may not help.
 * - `invalid`: its answer is malformed.
 */
export type PluginErrorReason =
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

/**
 * The error that all calls of a plugin throw. `output` has the last lines of a program that did not start. They can
 * contain secrets, so only editors see them, as in the log.
 */
export class PluginError extends KnownError {
  static override readonly kind: string = 'PluginError'
  readonly reason: PluginErrorReason
  readonly output: string | undefined

  constructor(
    reason: PluginErrorReason,
    message: string,
    { output, ...options }: { cause?: unknown; output?: string } = {}
  ) {
    super(message, options)
    this.reason = reason
    this.output = output
  }
}
