'use client'
import { type FormEvent, useState } from 'react'
import { Field } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { usePutWorkspace } from './use-put-workspace.ts'

/**
 * Sets the origins that can use session tokens of the workspace (docs/embedding.md). `allowedOrigins` is
 * undefined if the user is not an owner.
 */
export function Embedding({ allowedOrigins }: { allowedOrigins: readonly string[] | undefined }) {
  return (
    <Section title="Embedding">
      {allowedOrigins === undefined ? (
        <p className="text-muted">Only workspace owners can view and change the allowed origins.</p>
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
    const kept = await put({ allowedOrigins: origins }, ({ fields }) => {
      const found = faultIn(origins, fields)
      setFault(found)
      return found !== undefined
    })
    if (kept !== undefined) setText(kept.allowedOrigins.join('\n'))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        Embed sessions in your own product. Your server creates a session token for each user, and your page
        uses it to send messages and answer requests.
      </p>
      <form onSubmit={save} className="flex flex-col gap-3">
        <Field
          name="allowedOrigins"
          label="Allowed origins"
          hint="One per line, like https://shop.example. Session tokens from any other origin are rejected. Your own servers don't need an entry."
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

/**
 * Returns the server's errors as one text, or undefined. The server names a line by its index in the list.
 */
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
