import { useContext, useEffect } from 'react'
import { get, useController, useFormContext } from 'react-hook-form'
import { FieldNames } from './use-schema-form.ts'

/**
 * Returns a value of the form around this component, its error, and a function that changes it. `fallback` is
 * shown for an unset value. Selecting it does not set a value that was unset before.
 */
export function useFormValue<Value>(name: string, fallback?: Value) {
  const { control, formState } = useFormContext()
  const { field, fieldState } = useController({ name, control })
  const names = useContext(FieldNames)
  useEffect(() => {
    names.add(name)
    return () => void names.delete(name)
  }, [names, name])
  const wasSet = get(formState.defaultValues, name) !== undefined
  return {
    value: (field.value === undefined ? fallback : field.value) as Value,
    onChange: (value: Value | undefined) => field.onChange(value === fallback && !wasSet ? undefined : value),
    onBlur: field.onBlur,
    ref: field.ref,
    fault: fieldState.error?.message
  }
}
