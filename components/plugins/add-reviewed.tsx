import type { PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { Review } from './plugin-review.tsx'
import { Setting } from './setting.tsx'

type AddReviewedProps = {
  at: { source: string; pin?: string; ca?: string }
  review: PluginReview
  /** Reads the manifest again, with these settings. */
  readAgain: (settings: Record<string, string>) => Promise<unknown>
}

/** The values by position, because the names in a manifest are not always paths. */
type Values = { failClosed: boolean; settings: string[] }

/** The review of a plugin with its settings, and the button that adds it. */
export function AddReviewed({ at, review, readAgain }: AddReviewedProps) {
  const router = useRouter()
  const [said, setSaid] = useState('')
  const { settings: fields, digest, problem, capabilities } = review
  const given = ({ settings }: Values) =>
    Object.fromEntries(
      fields.flatMap(({ name }, index) => {
        const value = settings[index]?.trim() ?? ''
        return value === '' ? [] : [[name, value]]
      })
    )
  const of = useSchemaForm<Values, Record<string, string>>({
    saved: { failClosed: false, settings: fields.map(() => '') },
    inputOf: given,
    check: () => ({})
  })
  const add = async (values: Values) => {
    const body = { ...at, digest, failClosed: values.failClosed, settings: given(values) }
    const reply = await replyTo(client.call('addPlugin', { body }))
    if (reply.ok) return router.push(`/plugins/${encodeURIComponent(reply.body.name)}`)
    const nameOf = (setting: string) => `settings.${fields.findIndex(({ name }) => name === setting)}`
    setSaid(of.showErrors(reply, nameOf) || 'Some settings need attention.')
  }
  const [again, reading] = useAction(() => readAgain(given(of.form.getValues())))
  const busy = of.form.formState.isSubmitting || reading
  return (
    <div className="flex flex-col gap-6 border-t pt-6">
      <Review review={review} />
      <SchemaForm of={of} onSubmit={add} data-hook="add-reviewed" className="flex flex-col gap-6">
        {fields.length === 0 ? null : (
          <Section title="Settings">
            <div className="flex max-w-[480px] flex-col gap-4">
              {fields.map((field, index) => (
                <Setting
                  key={field.name}
                  field={withoutSource(field)}
                  name={`settings.${index}`}
                  fixed={false}
                  readOnly={false}
                  find={async () => []}
                />
              ))}
            </div>
          </Section>
        )}
        {capabilities.includes('hooks') ? (
          <FormCheckbox name="failClosed">
            Cancel an event if the plugin's hook fails. Otherwise, the event continues.
          </FormCheckbox>
        ) : null}
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-ground py-3">
          <Button
            type="submit"
            tone="primary"
            disabled={busy || problem !== undefined}
            data-hook="add-plugin"
          >
            Add plugin
          </Button>
          {fields.length === 0 ? null : (
            <Button onClick={() => void again()} disabled={busy} data-hook="read-again">
              {reading ? 'Reading…' : 'Read manifest again'}
            </Button>
          )}
          <p role="status" className="text-fail">
            {said}
          </p>
        </div>
      </SchemaForm>
    </div>
  )
}

/** The server looks up options only for plugins that were added, so until then the user types the value. */
const withoutSource = ({ api_source: source, ...field }: SettingField): SettingField =>
  source === undefined ? field : { ...field, ui_type: 'text' }
