'use client'
import { type FormEvent, useState } from 'react'
import { Field } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { usePutWorkspace } from './use-put-workspace.ts'

type Caps = {
  sessionPerDay: number | null
  subjectPerDay: number | null
  workspacePerMonth: number | null
}
type Spend = { spendCaps: Caps; spent: { today: number; thisMonth: number } }
type Name = keyof Caps

const fields: { name: Name; label: string; hint: string }[] = [
  {
    name: 'sessionPerDay',
    label: 'Per session, per day',
    hint: 'The session stops at this amount until an owner, editor or operator continues it.'
  },
  {
    name: 'subjectPerDay',
    label: 'Per end user, per day',
    hint: 'Across all sessions of an end user. They stop until an owner, editor or operator continues them.'
  },
  {
    name: 'workspacePerMonth',
    label: 'Workspace, per month',
    hint: 'Across all sessions. They stop until an owner or editor continues them.'
  }
]

/**
 * Sets the amounts at which sessions pause until a user continues them (docs/limits.md). `spend` is undefined
 * if the user is not an owner.
 */
export function Spending({ spend }: { spend: Spend | undefined }) {
  return (
    <Section title="Spending">
      {spend === undefined ? (
        <p className="text-muted">Only workspace owners can view spending and set caps.</p>
      ) : (
        <CapFields saved={spend.spendCaps} spent={spend.spent} />
      )}
    </Section>
  )
}

function CapFields({ saved, spent }: { saved: Caps; spent: Spend['spent'] }) {
  const [texts, setTexts] = useState(textsOf(saved))
  const [faults, setFaults] = useState<Partial<Record<Name, string>>>({})
  const { busy, said, say, put } = usePutWorkspace()
  const changed = fields.some(({ name }) => texts[name].trim() !== textsOf(saved)[name])

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const { caps, faults } = readCaps(texts)
    setFaults(faults)
    say({ text: '' })
    if (Object.keys(faults).length > 0) return
    const kept = await put({ spendCaps: caps }, refusal => {
      const found = faultsIn(refusal.fields)
      setFaults(found)
      return Object.keys(found).length > 0
    })
    if (kept !== undefined) setTexts(textsOf(kept.spendCaps))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        A session that reaches a cap pauses and asks “Continue?”. If you continue, the same amount is allowed
        again for that day or month. End users can't answer this question. Days and months are in UTC.
      </p>
      <p>
        Spent today <b>{dollars(spent.today)}</b>, this month <b>{dollars(spent.thisMonth)}</b>.
      </p>
      <form onSubmit={save} noValidate className="flex flex-col gap-3">
        <p>Amounts are in US dollars. Leave a field empty for no cap.</p>
        <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
          {fields.map(({ name, label, hint }) => (
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
              placeholder="no cap"
              inputMode="decimal"
            />
          ))}
        </div>
        <SaveLine act="Save caps" disabled={busy || !changed} said={said} />
      </form>
    </>
  )
}

const textsOf = (caps: Caps): Record<Name, string> => ({
  sessionPerDay: caps.sessionPerDay?.toString() ?? '',
  subjectPerDay: caps.subjectPerDay?.toString() ?? '',
  workspacePerMonth: caps.workspacePerMonth?.toString() ?? ''
})

/** Parses the amounts. A decimal comma and a dollar sign at the start are accepted. */
function readCaps(texts: Record<Name, string>): { caps: Caps; faults: Partial<Record<Name, string>> } {
  const caps: Caps = { sessionPerDay: null, subjectPerDay: null, workspacePerMonth: null }
  const faults: Partial<Record<Name, string>> = {}
  for (const { name } of fields) {
    const text = texts[name]
      .trim()
      .replace(/^\$\s*/, '')
      .replace(',', '.')
    if (text === '') continue
    if (/^\d+(\.\d+)?$/.test(text)) caps[name] = Number(text)
    else faults[name] = 'Enter an amount in US dollars, like 2.50, or leave the field empty.'
  }
  return { caps, faults }
}

/** Returns the server's errors as sentences, by field. */
const faultsIn = (said: Record<string, string> = {}): Partial<Record<Name, string>> =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const fault = said[`spendCaps.${name}`]
      return fault === undefined ? [] : [[name, `${fault[0]?.toUpperCase()}${fault.slice(1)}.`]]
    })
  )

const dollars = (usd: number): string => `$${usd.toFixed(2)}`
