import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects garbage once, after the start. A start compiles and parses much that is never used again. V8 keeps this memory
 * until it needs it, and an idle server never does: this saves it 130 MB of 340.
 */
export function collectGarbage(): void {
  // Node offers V8's function only with a flag, which is set for a moment here.
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}
