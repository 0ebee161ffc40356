import { WikiName } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { FileDrop } from './file-drop.tsx'
import { importFile, type WikiResult, wikiNameOf } from './import-file.ts'
import { WikiOutcome } from './wiki-outcome.tsx'

/** Creates a wiki, empty or with the content of a file. */
export function NewWiki() {
  const router = useRouter()
  const [name, setName] = useState('')
  const [file, setFile] = useState<File>()
  const [said, setSaid] = useState<WikiResult>()
  const [wrong, setWrong] = useState<string>()
  const [create, busy] = useAction(async () => {
    setSaid(undefined)
    const isName = WikiName.safeParse(name).success
    setWrong(isName ? undefined : 'Use lowercase letters, digits and hyphens.')
    if (!isName) return
    const reply = await replyTo(client.call('createWiki', { body: { name } }))
    if (!reply.ok) return setSaid({ ok: false, words: changeError(reply) })
    setSaid(file === undefined ? undefined : await importFile(name, file))
    setName('')
    setFile(undefined)
    router.refresh()
  })
  return (
    <form
      aria-label="New wiki"
      data-hook="new-wiki"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
      className="flex flex-col gap-3"
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex-1 basis-48">
          <Field
            name="name"
            label="Wiki name"
            value={name}
            onChange={setName}
            fault={wrong}
            required
            maxLength={64}
          />
        </div>
        <Button type="submit" tone="primary" disabled={busy}>
          {file === undefined ? 'Create wiki' : 'Create and import'}
        </Button>
      </div>
      <FileDrop
        label="Start with a file (optional)"
        disabled={busy}
        onFile={chosen => {
          setFile(chosen)
          if (name === '') setName(wikiNameOf(chosen.name))
        }}
      >
        {file === undefined ? undefined : `${file.name} will be imported.`}
      </FileDrop>
      <WikiOutcome said={said} />
    </form>
  )
}
