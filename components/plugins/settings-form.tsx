import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Setting } from './setting.tsx'

type SettingsFormProps = { workspaceId: string; of: PluginSettings; maySave: boolean }

/** The values by position, because the names in a manifest are not always paths. */
type Values = { settings: string[] }

/**
 * The form for the settings in a plugin's manifest. The server validates them, because patterns run only
 * there.
 */
export function SettingsForm({ workspaceId, of: plugin, maySave }: SettingsFormProps) {
  const { name, schema, fixed } = plugin
  const [said, setSaid] = useState<Said>({ text: '' })
  const path = { workspaceId, plugin: name }
  const given = ({ settings }: Values) =>
    Object.fromEntries(
      schema.flatMap(({ name }, at) => {
        const value = settings[at]?.trim() ?? ''
        return value === '' || fixed.includes(name) ? [] : [[name, value]]
      })
    )
  const of = useSchemaForm<Values, Record<string, string>>({
    saved: { settings: schema.map(({ name }) => plugin.settings[name] ?? '') },
    inputOf: given,
    check: () => ({})
  })
  const save = async (values: Values) => {
    const reply = await replyTo(
      client.call('savePluginSettings', { path, body: { settings: given(values) } })
    )
    if (reply.ok) {
      of.reset(values)
      return setSaid({ text: 'Saved. The plugin is restarting.' })
    }
    const nameOf = (setting: string) => `settings.${schema.findIndex(({ name }) => name === setting)}`
    setSaid({ text: of.showErrors(reply, nameOf) || 'Some settings need attention.', failed: true })
  }
  return (
    <SchemaForm
      of={of}
      onSubmit={save}
      data-hook="plugin-settings"
      className="flex max-w-[480px] flex-col gap-4"
    >
      {schema.map((field, at) => (
        <Setting
          key={field.name}
          field={field}
          name={`settings.${at}`}
          fixed={fixed.includes(field.name)}
          readOnly={!maySave}
          find={q =>
            client.call('findSettingOptions', { path: { ...path, field: field.name }, query: { q } })
          }
        />
      ))}
      {maySave ? (
        <SaveLine
          act="Save settings"
          disabled={of.form.formState.isSubmitting || !of.isChanged}
          said={of.isChanged && !said.failed ? { text: '' } : said}
        />
      ) : (
        <p className="text-muted">You can view these settings but not edit them. Ask an owner for changes.</p>
      )}
    </SchemaForm>
  )
}
