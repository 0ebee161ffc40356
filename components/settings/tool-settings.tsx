'use client'
import type { ToolSettings as Settings } from '@waystation/protocol/call/tool-settings.ts'
import { type FormEvent, useState } from 'react'
import { Field } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { type Faults, faultsIn, readSettings, settingFields, textsOf } from './tool-setting-texts.ts'
import { usePutWorkspace } from './use-put-workspace.ts'

type Paced = { toolSettings: Settings }

/**
 * Sets timeouts, concurrency, and retries of model calls (docs/approvals.md). `paced` is undefined if the
 * user is not an owner.
 */
export function ToolSettings({ paced }: { paced: Paced | undefined }) {
  return (
    <Section title="Timeouts and retries" hook="timeouts">
      {paced === undefined ? (
        <p className="text-muted">Only workspace owners can view and change timeouts and retries.</p>
      ) : (
        <SettingFields saved={paced.toolSettings} />
      )}
    </Section>
  )
}

function SettingFields({ saved }: { saved: Settings }) {
  const [texts, setTexts] = useState(() => textsOf(saved))
  const [faults, setFaults] = useState<Faults>({})
  const { busy, said, say, put } = usePutWorkspace()
  const before = textsOf(saved)
  const changed = settingFields.some(({ name }) => texts[name].trim() !== before[name])

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const read = readSettings(texts)
    setFaults(read.faults)
    say({ text: '' })
    if (Object.keys(read.faults).length > 0) return
    const kept = await put({ toolSettings: read.settings }, refusal => {
      const found = faultsIn(refusal.fields)
      setFaults(found)
      return Object.keys(found).length > 0
    })
    if (kept !== undefined) setTexts(textsOf(kept.toolSettings))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        These settings apply from each session's next step, unless the agent sets its own values. Calls that
        finish in time keep their results. For each other call, the agent receives an error.
      </p>
      <form onSubmit={save} noValidate className="flex flex-col gap-3">
        <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
          {settingFields.map(({ name, label, hint, standard }) => (
            <Field
              key={name}
              name={name}
              label={label}
              hint={hint}
              value={texts[name]}
              onChange={text => {
                setTexts({ ...texts, [name]: text })
                say({ text: '' })
              }}
              fault={faults[name]}
              placeholder={String(standard)}
              inputMode="decimal"
            />
          ))}
        </div>
        <SaveLine act="Save timeouts" disabled={busy || !changed} said={said} />
      </form>
    </>
  )
}
