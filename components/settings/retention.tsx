'use client'
import { type FormEvent, useState } from 'react'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { usePutWorkspace } from './use-put-workspace.ts'

type Kept = { retentionDays: number | null }

/**
 * Sets how long the workspace stores its sessions (docs/retention.md). `kept` is undefined if the user is not
 * an owner.
 */
export function Retention({ kept }: { kept: Kept | undefined }) {
  return (
    <Section title="Retention" hook="retention">
      {kept === undefined ? (
        <p className="text-muted">Only workspace owners can set how long sessions are stored.</p>
      ) : (
        <DaysField saved={kept.retentionDays} />
      )}
    </Section>
  )
}

function DaysField({ saved }: { saved: number | null }) {
  const [text, setText] = useState(textOf(saved))
  const [fault, setFault] = useState<string>()
  const [asking, setAsking] = useState<number>()
  const { busy, said, say, put } = usePutWorkspace()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const days = readDays(text)
    say({ text: '' })
    setFault(
      days === undefined ? 'Enter a whole number of days, like 30, or leave the field empty.' : undefined
    )
    if (days === undefined) return
    // Deleted sessions cannot be restored, so a shorter time needs confirmation.
    if (days !== null && (saved === null || days < saved)) setAsking(days)
    else void save(days)
  }
  const save = async (days: number | null) => {
    setAsking(undefined)
    const kept = await put({ retentionDays: days }, ({ fields }) => {
      const found = fields?.retentionDays
      setFault(found && `${found[0]?.toUpperCase()}${found.slice(1)}.`)
      return found !== undefined
    })
    if (kept !== undefined) setText(textOf(kept.retentionDays))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        Sessions without activity for this many days are deleted with everything in them. Sessions with a
        pending call, a running turn, a delivery or an alarm stay until it ends.
      </p>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
          <Field
            name="retentionDays"
            label="Days"
            hint="1 to 3650. Leave empty to store sessions forever."
            value={text}
            onChange={next => {
              setText(next)
              say({ text: '' })
            }}
            fault={fault}
            placeholder="forever"
            inputMode="numeric"
          />
        </div>
        <SaveLine act="Save retention" disabled={busy || text.trim() === textOf(saved)} said={said} />
      </form>
      <Dialog
        open={asking !== undefined}
        onOpenChange={open => open || setAsking(undefined)}
        title={`Store sessions for ${asking === 1 ? '1 day' : `${asking} days`}?`}
        description="Sessions that were inactive for longer are deleted, starting within a minute. You can't restore them."
      >
        <ConfirmButtons
          act="Delete older sessions"
          onAct={() => void save(asking ?? null)}
          onKeep={() => setAsking(undefined)}
        />
      </Dialog>
    </>
  )
}

const textOf = (days: number | null): string => days?.toString() ?? ''

/** Returns the number of days, null for forever, or undefined if the text is not a number of days. */
function readDays(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,5}$/.test(typed) ? Number(typed) : undefined
}
