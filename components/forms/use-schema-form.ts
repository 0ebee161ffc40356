import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { createContext, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, set, useForm } from 'react-hook-form'
import { changeError } from '#components/browser/error-text.ts'
import type { Reply } from '#components/browser/reply.ts'
import { type FieldErrors, placeErrors } from './place-errors.ts'

export type Failed = Extract<Reply<unknown>, { ok: false }>

type SchemaFormOptions<Values, Input> = {
  saved: Values
  /** Returns the value that the server receives. */
  inputOf: (values: Values) => Input
  /** Returns the errors of that value, usually with `checkValues`. */
  check: (input: Input, values: Values) => FieldErrors
  /** Shows the error of a field when the user leaves it, and not only when the form is submitted. */
  checksOnBlur?: boolean
}

/** The state of a form whose field names are paths in the server's input. `check` runs before each submission. */
export function useSchemaForm<Values extends FieldValues, Input>({
  saved,
  inputOf,
  check,
  checksOnBlur = false
}: SchemaFormOptions<Values, Input>) {
  const [names] = useState(() => new Set<string>())
  const form = useForm<Values>({
    defaultValues: saved as DefaultValues<Values>,
    mode: checksOnBlur ? 'onTouched' : 'onSubmit',
    resolver: values => {
      const input = inputOf(values)
      const { at, rest } = placeErrors(check(input, values), [...names], input as object)
      const errors = {}
      for (const [name, message] of at) set(errors, name, { type: 'check', message })
      if (rest.length > 0) set(errors, formError, { type: 'check', message: rest.join(' ') })
      return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }
    }
  })
  const values = form.watch()
  const inputs = [values, form.formState.defaultValues as Values].map(inputOf)
  return {
    form,
    names,
    values,
    /** The value that the server would receive now. */
    input: inputs[0] as Input,
    isChanged: canonicalJson(inputs[0]) !== canonicalJson(inputs[1]),
    /** Shows new values as the saved ones. */
    reset: (next: Values) => form.reset(next),
    /**
     * Shows the server's errors at their fields. `nameOf` returns the path in the form for a path in the
     * request. Returns a text with all other errors, which is empty if the fields show them all.
     */
    showErrors: (reply: Failed, nameOf = (path: string) => path): string => {
      const errors = Object.entries(reply.error.fields ?? {})
      const { at, rest } = placeErrors(
        Object.fromEntries(errors.map(([path, message]) => [nameOf(path), message])),
        [...names],
        inputOf(form.getValues()) as object
      )
      let shouldFocus = true
      for (const [name, message] of at) {
        form.setError(name as Path<Values>, { type: 'server', message }, { shouldFocus })
        shouldFocus = false
      }
      return at.size + rest.length === 0 ? changeError(reply) : rest.join(' ')
    }
  }
}

/** The key of the errors that belong to no field. */
export const formError = 'rest'

/** The names of the fields that are shown. */
export const FieldNames = createContext(new Set<string>())
