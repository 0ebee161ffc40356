import { get } from 'react-hook-form'
import { placeOf } from '#components/ui/change-words.ts'

/** Messages by the path of the wrong value, as the server returns them in `fields`. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Assigns errors to the fields of a form, in the order of the fields. An error is shown at the field with its
 * path, else at the closest field that contains the path, else at the first field below the path. `values` is
 * the checked value, which names the wrong entry of a list. `at` has a sentence for each field with an error,
 * and `rest` the errors that belong to no field, with the labels of the form instead of paths.
 */
export function placeErrors(errors: FieldErrors, names: readonly string[], values: object = {}) {
  const at = new Map<string, string>(names.map(name => [name, '']))
  const rest: string[] = []
  for (const [path, message] of Object.entries(errors)) {
    const name = fieldOf(path, names)
    if (name === undefined) rest.push(withPlace(placeOf({ path: stepsIn('', path, values) }), message))
    else {
      const place = stepsIn(name, path, values).join(' › ')
      at.set(name, `${at.get(name)} ${withPlace(place, message)}`.trim())
    }
  }
  return { at: new Map([...at].filter(([, sentence]) => sentence !== '')), rest }
}

function fieldOf(path: string, names: readonly string[]): string | undefined {
  const around = names.filter(name => path === name || path.startsWith(`${name}.`))
  const closest = around.toSorted((a, b) => b.length - a.length)[0]
  return closest ?? (path === '' ? undefined : names.find(name => name.startsWith(`${path}.`)))
}

/** Returns the place of a value within the field `name`. Entries of lists have their name, or else their number. */
function stepsIn(name: string, path: string, values: object): string[] {
  const steps = (name === '' ? path : path.slice(name.length + 1)).split('.')
  const labels = steps.map((step, at) => {
    if (!/^\d+$/.test(step)) return step
    const entry: unknown = get(values, [...(name === '' ? [] : [name]), ...steps.slice(0, at + 1)].join('.'))
    if (typeof entry === 'string') return `Entry ${Number(step) + 1} (${entry})`
    const named = (entry as { name?: unknown } | undefined)?.name
    return typeof named === 'string' && named !== '' ? named : `Entry ${Number(step) + 1}`
  })
  return labels.filter(label => label !== '')
}

function withPlace(place: string, message: string): string {
  const text = place === '' ? `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}` : `${place}: ${message}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}
