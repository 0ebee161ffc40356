import type { Variant } from '@waystation/protocol/session/comparison.ts'
import { type FormEvent, useId, useState } from 'react'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { Button } from '#components/ui/button.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Offered, revisionOptions, variantOf } from './offered.ts'

type RunFormProps = {
  offered: Offered
  busy: boolean
  fault: string
  onRun: (variant: Variant) => void
  onCancel?: (() => void) | undefined
}

/** Chooses a version or the draft, and a model, to run the message on. The draft comes first, if there is one. */
export function RunForm({ offered, busy, fault, onRun, onCancel }: RunFormProps) {
  const { revisions, draft, models } = offered
  const [chosen, setChosen] = useState(draft === undefined ? String(revisions[0]?.revision ?? 1) : 'draft')
  const [model, setModel] = useState('')
  const title = useId()
  const configured =
    chosen === 'draft' ? draft?.model : revisions.find(({ revision }) => String(revision) === chosen)?.model
  const own = configured === undefined || configured === 'default' ? models.defaultModel : configured
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRun({ ...variantOf(chosen), ...(model === '' ? {} : { model }) })
  }
  return (
    <form aria-labelledby={title} data-hook="run-on" onSubmit={submit} className="flex flex-col gap-4 p-5">
      <h2 id={title} className="text-person font-semibold">
        Run this message on
      </h2>
      <div className="grid gap-4 @md:grid-cols-2">
        <Labeled label="Version">
          {control => (
            <Select
              {...control}
              data-hook="run-revision"
              className="w-full"
              value={chosen}
              onChange={setChosen}
              options={revisionOptions({
                versions: revisions.map(({ revision }) => revision),
                hasDraft: draft !== undefined
              })}
            />
          )}
        </Labeled>
        <PickOrType
          label="Model"
          value={model}
          onChange={setModel}
          options={[
            { value: '', label: `${own} (configured)` },
            ...models.names.filter(name => name !== own).map(name => ({ value: name, label: name }))
          ]}
          note="No known models. Type a name, such as openai/gpt-5."
        />
      </div>
      <p className="text-muted">Tools run for real, and ask for approval as usual.</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" type="submit" disabled={busy} data-hook="run-message">
          {busy ? 'Starting…' : 'Run message'}
        </Button>
        {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
      </div>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
    </form>
  )
}
