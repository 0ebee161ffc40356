'use client'
import type { OobDefaults } from '@waystation/protocol/out-of-band/oob-defaults.ts'
import { type FormEvent, useState } from 'react'
import { Field } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { usePutWorkspace } from './use-put-workspace.ts'

type Saved = { outOfBand: OobDefaults }

/**
 * Sets when out-of-band messages expire in the workspace (docs/out-of-band.md). `saved` is undefined if the
 * user is not an owner.
 */
export function OutOfBandDefaults({ saved }: { saved: Saved | undefined }) {
  return (
    <Section title="Out-of-band messages" hook="out-of-band-defaults">
      {saved === undefined ? (
        <p className="text-muted">Only workspace owners can set when out-of-band messages expire.</p>
      ) : (
        <TtlField saved={saved.outOfBand} />
      )}
    </Section>
  )
}

function TtlField({ saved }: { saved: OobDefaults }) {
  const [text, setText] = useState(textOf(saved))
  const [fault, setFault] = useState<string>()
  const { busy, said, say, put } = usePutWorkspace()

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const typed = text.trim()
    say({ text: '' })
    setFault(undefined)
    if (!/^\d{0,10}$/.test(typed))
      return setFault('Enter a whole number of seconds, like 3600, or leave the field empty.')
    const outOfBand: OobDefaults = typed === '' ? {} : { ttlSeconds: Number(typed) }
    const kept = await put({ outOfBand }, ({ fields }) => {
      const found = fields?.['outOfBand.ttlSeconds']
      setFault(found && `${found[0]?.toUpperCase()}${found.slice(1)}.`)
      return found !== undefined
    })
    if (kept !== undefined) setText(textOf(kept.outOfBand))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        An out-of-band message waits until its agent receives it. Set a time limit if old messages are of no
        use. Messages and agents with their own limit aren't affected.
      </p>
      <form onSubmit={save} noValidate className="flex flex-col gap-3">
        <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
          <Field
            name="ttlSeconds"
            label="Expire after (seconds)"
            hint="1 to 2592000 (30 days). Leave empty for no limit."
            value={text}
            onChange={next => {
              setText(next)
              say({ text: '' })
            }}
            fault={fault}
            placeholder="never"
            inputMode="numeric"
          />
        </div>
        <SaveLine act="Save limit" disabled={busy || text.trim() === textOf(saved)} said={said} />
      </form>
    </>
  )
}

const textOf = ({ ttlSeconds }: OobDefaults): string => ttlSeconds?.toString() ?? ''
