import { HclError, shown } from './hcl-error.ts'
import { meant } from './meant.ts'
import type { Located } from './shape.ts'

/**
 * Returns the value if it is one of the choices. `name` names it in the error message, such as "a plugin's type".
 * @throws HclError at the position of the value
 */
export function oneOf<const T extends string>(
  choices: readonly T[],
  found: Located<string>,
  name: string
): T {
  const choice = choices.find(one => one === found.value)
  if (choice !== undefined) return choice
  throw new HclError(found, `${name} cannot be ${shown(found.value)}: ${meant(found.value, [...choices])}`)
}
