import { useContext, useEffect } from 'react'
import { get, useController, useFormContext } from 'react-hook-form'
import { FieldNames } from './use-schema-form.ts'

/**
 * Returns a value of the form around this component, its error, and a function that changes it. `fallback` is
 * shown for an unset value. Selecting it does not set a value that was unset before.
 */
export function useFormValue<Value>(name: string, fallback?: Value) {
  const { control, formState, getValues } = useFormContext()
  const { field, fieldState } = useController({ name, control })
  const names = useContext(FieldNames)
  useEffect(() => {
    names.add(name)
    return () => void names.delete(name)
  }, [names, name])
  // The controller shows the saved value instead of an unset one.
  const current = getValues(name)
  const wasSet = get(formState.defaultValues, name) !== undefined
  return {
    value: (current === undefined ? fallback : current) as Value,
    onChange: (value: Value | undefined) => field.onChange(value === fallback && !wasSet ? undefined : value),
    onBlur: field.onBlur,
    ref: field.ref,
    fault: fieldState.error?.message
  }
}
