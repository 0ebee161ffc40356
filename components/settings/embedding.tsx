'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { httpTo } from '#components/session/http.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from './field.tsx'
import { Section } from './section.tsx'

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
  const router = useRouter()
  const [text, setText] = useState(saved.join('\n'))
  const [fault, setFault] = useState<string>()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const origins = linesOf(text)
  const changed = origins.join() !== saved.join()

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setSaid('')
    const reply = await httpTo('')<{ allowedOrigins: string[] }>('PUT', '/api/workspace', {
      allowedOrigins: origins
    })
    setBusy(false)
    if (!reply.ok && reply.lost) return setFault('The server does not answer. Nothing was saved; try again.')
    if (!reply.ok) return setFault(faultIn(origins, reply.refusal))
    setFault(undefined)
    setText(reply.body.allowedOrigins.join('\n'))
    setSaid('Saved.')
    router.refresh()
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
            setSaid('')
          }}
          fault={fault}
          rows={4}
          mono
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" tone="primary" disabled={busy || !changed}>
            Save origins
          </Button>
          <p role="status" className="text-muted">
            {said}
          </p>
        </div>
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
  { error, fields = {} }: { error: string; fields?: Record<string, string> | undefined }
): string {
  const faults = origins.flatMap((origin, index) => {
    const fault = fields[`allowedOrigins.${index}`]
    return fault === undefined ? [] : [`${origin}: ${fault}.`]
  })
  return faults.join(' ') || error
}
