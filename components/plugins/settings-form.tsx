'use client'
import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { type FormEvent, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Setting } from './setting.tsx'

type SettingsFormProps = { workspaceId: string; of: PluginSettings; maySave: boolean }

/** The form for the settings in a plugin's manifest. Each field shows its own error. */
export function SettingsForm({ workspaceId, of, maySave }: SettingsFormProps) {
  const { name, schema, fixed } = of
  const [saved, setSaved] = useState(of.settings)
  const [values, setValues] = useState(of.settings)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [said, setSaid] = useState<Said>({ text: '' })
  const path = { workspaceId, plugin: name }
  const given = Object.fromEntries(
    schema.flatMap(({ name }) => {
      const value = values[name]?.trim() ?? ''
      return value === '' || fixed.includes(name) ? [] : [[name, value]]
    })
  )
  const isSame = textOf(given) === textOf(saved)
  const [save, busy] = useAction(async () => {
    const reply = await replyTo(client.call('savePluginSettings', { path, body: { settings: given } }))
    if (reply.ok) {
      setSaved(given)
      setFaults({})
      return setSaid({ text: 'Saved. The plugin is restarting.' })
    }
    const { fields } = reply.error
    setFaults(fields ?? {})
    setSaid({
      text: fields === undefined ? changeError(reply) : 'Some settings need attention.',
      failed: true
    })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form
      onSubmit={submit}
      noValidate
      data-hook="plugin-settings"
      className="flex max-w-[480px] flex-col gap-4"
    >
      {schema.map(field => (
        <Setting
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={value => {
            setValues(before => ({ ...before, [field.name]: value }))
            setFaults(({ [field.name]: _, ...others }) => others)
            setSaid({ text: '' })
          }}
          fixed={fixed.includes(field.name)}
          fault={faults[field.name]}
          readOnly={!maySave}
          find={q =>
            client.call('findSettingOptions', { path: { ...path, field: field.name }, query: { q } })
          }
        />
      ))}
      {maySave ? (
        <SaveLine act="Save settings" disabled={busy || isSame} said={said} />
      ) : (
        <p className="text-muted">You can view these settings but not edit them. Ask an owner for changes.</p>
      )}
    </form>
  )
}

/** Returns the same text for equal values in any order. */
const textOf = (values: Record<string, string>) => JSON.stringify(Object.entries(values).sort())
