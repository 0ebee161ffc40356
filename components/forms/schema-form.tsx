import type { ComponentProps } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { useAction } from '#components/browser/use-action.ts'
import { Fault } from '#components/ui/fault.tsx'
import { Form } from './form.tsx'
import { FieldNames, formError } from './use-schema-form.ts'

type SchemaFormProps<Values extends FieldValues> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  of: { form: UseFormReturn<Values>; names: Set<string> }
  /** Called if the values are valid. Otherwise the first wrong field gets the focus. */
  onSubmit: (values: Values) => unknown
}

/** The form element around the fields of `useSchemaForm`. */
export function SchemaForm<Values extends FieldValues>({
  of,
  onSubmit,
  children,
  ...props
}: SchemaFormProps<Values>) {
  const { form, names } = of
  const [submit] = useAction(() => form.handleSubmit(values => onSubmit(values))())
  const rest = form.formState.errors[formError]?.message
  return (
    <FormProvider {...form}>
      <FieldNames value={names}>
        <Form {...props} onSubmit={submit}>
          {children}
          <Fault data-hook="form-error">{typeof rest === 'string' ? rest : ''}</Fault>
        </Form>
      </FieldNames>
    </FormProvider>
  )
}
