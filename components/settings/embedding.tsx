'use client'
import { type FormEvent, useState } from 'react'
import { Field } from './field.tsx'
import { SaveLine } from './save-line.tsx'
import { Section } from './section.tsx'
import { usePutWorkspace } from './use-put-workspace.ts'

/** Whose pages may use the workspace's session tokens (docs/embedding.md). Absent origins: not yours to see. */
export function Embedding({ allowedOrigins }: { allowedOrigins: readonly string[] | undefined }) {
  return (
    <Section title="Embedding">
      {allowedOrigins === undefined ? (
        <p className="text-muted">
          Only an owner of this workspace sees and sets whose pages may embed its sessions.
        </p>
      ) : (
        <Origins saved={allowedOrigins} />
      )}
    </Section>
  )
}

function Origins({ saved }: { saved: readonly string[] }) {
  const [text, setText] = useState(saved.join('\n'))
  const [fault, setFault] = useState<string>()
  const { busy, said, say, put } = usePutWorkspace()
  const origins = linesOf(text)
  const changed = origins.join() !== saved.join()

  const save = async (event: FormEvent) => {
    event.preventDefault()
    say({ text: '' })
    setFault(undefined)
    const kept = await put<{ allowedOrigins: string[] }>({ allowedOrigins: origins }, ({ fields }) => {
      const found = faultIn(origins, fields)
      setFault(found)
      return found !== undefined
    })
    if (kept !== undefined) setText(kept.allowedOrigins.join('\n'))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        A session can stand in a page of your own product: your server makes a session token for its user, and
        the page talks and answers with it.
      </p>
      <form onSubmit={save} className="flex flex-col gap-3">
        <Field
          name="allowedOrigins"
          label="Allowed origins"
          hint="One a line, like https://shop.example. A token in a page of any other origin is refused; your servers need no line."
          value={text}
          onChange={value => {
            setText(value)
            say({ text: '' })
          }}
          fault={fault}
          rows={4}
          mono
        />
        <SaveLine act="Save origins" disabled={busy || !changed} said={said} />
      </form>
    </>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** What is wrong, line by line, in the words of the server; it names a line by its place in the list. */
function faultIn(
  origins: readonly string[],
  fields: Record<string, string> | undefined = {}
): string | undefined {
  const faults = origins.flatMap((origin, index) => {
    const fault = fields[`allowedOrigins.${index}`]
    return fault === undefined ? [] : [`${origin}: ${fault}.`]
  })
  return faults.length === 0 ? undefined : faults.join(' ')
}
