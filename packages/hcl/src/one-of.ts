import { HclError, shown } from './hcl-error.ts'
import { meant } from './meant.ts'
import type { Located } from './shape.ts'

/** A value that must be one of these. `what`: whose, for the message. */
export function oneOf<const T extends string>(
  choices: readonly T[],
  found: Located<string>,
  what: string
): T {
  const choice = choices.find(one => one === found.value)
  if (choice !== undefined) return choice
  throw new HclError(found, `${what} cannot be ${shown(found.value)}: ${meant(found.value, [...choices])}`)
}
