import {
  type ConfiguredProvider,
  type Models,
  type ProviderField,
  ProviderName
} from '@waystation/protocol/workspace/models.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { AddButtons } from '#components/ui/add-dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { useChange } from './use-change.ts'

type ModelProviderFormProps = {
  models: Models
  /** The provider to edit. Undefined: the form adds one. */
  edited: ConfiguredProvider | undefined
  onClose: () => void
}

/** Adds or edits a model provider. Its fields depend on its kind. */
export function ModelProviderForm({ models, edited, onClose }: ModelProviderFormProps) {
  const { kinds, providers } = models
  const unused = kinds.filter(
    ({ kind, named }) =>
      named || !providers.some(({ name, source }) => name === kind && source === 'workspace')
  )
  const [kind, setKind] = useState(edited?.kind ?? unused[0]?.kind ?? '')
  const [name, setName] = useState(edited?.name ?? '')
  const [values, setValues] = useState<Record<string, string>>({ ...edited?.values })
  const [tried, setTried] = useState(false)
  const { create, fault, setFault } = useChange()
  const chosen = kinds.find(candidate => candidate.kind === kind)
  const isNamed = chosen?.named === true && edited === undefined
  const fields = chosen?.fields ?? []
  const nameFault = isNamed ? ProviderName.safeParse(name.trim()).error?.issues[0]?.message : undefined
  const faultOf = (field: ProviderField) =>
    field.required && !(values[field.name] ?? '').trim() && !isKept(field, edited)
      ? `Enter a value.`
      : undefined
  const [submit, busy] = useAction(async () => {
    setTried(true)
    if (nameFault !== undefined || fields.some(field => faultOf(field) !== undefined)) return
    const path = { name: edited?.name ?? (isNamed ? name.trim() : kind) }
    const own = Object.fromEntries(fields.map(field => [field.name, values[field.name] ?? '']))
    const saved = await create(client.call('saveModelProvider', { path, body: { kind, values: own } }))
    if (saved !== undefined) onClose()
  })
  return (
    <Form onSubmit={submit} data-hook="provider-form" className="flex flex-col gap-4">
      {edited === undefined ? (
        <Labeled label="Provider">
          {control => (
            <Select
              {...control}
              name="providerKind"
              value={kind}
              onChange={next => {
                setKind(next)
                setValues({})
                setTried(false)
                setFault('')
              }}
              options={unused.map(({ kind, title }) => ({ value: kind, label: title }))}
              className="w-full"
            />
          )}
        </Labeled>
      ) : null}
      {isNamed ? (
        <Field
          name="providerName"
          label="Name"
          value={name}
          onChange={setName}
          fault={tried ? nameFault : undefined}
          hint="The first part of its models' names, such as my-server/llama."
          required
          maxLength={40}
          mono
        />
      ) : null}
      {fields.map(field => (
        <Field
          key={`${kind}.${field.name}`}
          name={field.name}
          label={field.label}
          value={values[field.name] ?? ''}
          onChange={value => setValues(known => ({ ...known, [field.name]: value }))}
          fault={tried ? faultOf(field) : undefined}
          hint={field.hint}
          placeholder={isKept(field, edited) ? 'saved; leave empty to keep it' : field.placeholder}
          required={field.required && !isKept(field, edited)}
          maxLength={16_384}
          {...(field.secret ? { type: 'password' as const } : { mono: true })}
        />
      ))}
      <Fault>{fault}</Fault>
      <AddButtons act="Save provider" hook="save-provider" disabled={busy} onCancel={onClose} />
    </Form>
  )
}

/** Tells whether an empty secret keeps its saved value. */
const isKept = ({ name, secret }: ProviderField, edited: ConfiguredProvider | undefined): boolean =>
  secret && edited?.secrets?.includes(name) === true
