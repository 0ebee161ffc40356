import { WikiName } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { AddButtons } from '#components/ui/add-dialog.tsx'
import { Field } from '#components/ui/field.tsx'
import { importFile, type WikiResult, wikiNameOf } from './import-file.ts'
import { WikiOutcome } from './wiki-outcome.tsx'

/** Creates a wiki, empty or with the content of a file. It stays open after an import, and shows the result. */
export function NewWiki({ first, close }: { first: File | undefined; close: () => void }) {
  const router = useRouter()
  const [name, setName] = useState(first === undefined ? '' : wikiNameOf(first.name))
  const [file, setFile] = useState(first)
  const [said, setSaid] = useState<WikiResult>()
  const [wrong, setWrong] = useState<string>()
  const [create, busy] = useAction(async () => {
    setSaid(undefined)
    const isName = WikiName.safeParse(name).success
    setWrong(isName ? undefined : 'Use lowercase letters, digits and hyphens.')
    if (!isName) return
    const reply = await replyTo(client.call('createWiki', { body: { name } }))
    if (!reply.ok) return setSaid({ ok: false, words: changeError(reply) })
    const imported = file === undefined ? undefined : await importFile(name, file)
    router.refresh()
    if (imported === undefined) return close()
    setSaid(imported)
    setName('')
    setFile(undefined)
  })
  return (
    <Form aria-label="New wiki" data-hook="new-wiki" onSubmit={create} className="flex flex-col gap-4">
      <Field
        name="name"
        label="Wiki name"
        value={name}
        onChange={setName}
        fault={wrong}
        required
        maxLength={64}
      />
      {file === undefined ? null : <p data-hook="wiki-file">{file.name} will be imported.</p>}
      <WikiOutcome said={said} />
      <AddButtons
        act={file === undefined ? 'Create wiki' : 'Create and import'}
        hook="create-wiki"
        disabled={busy}
        onCancel={close}
      />
    </Form>
  )
}
