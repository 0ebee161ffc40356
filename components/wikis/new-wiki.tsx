'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { FileDrop } from './file-drop.tsx'
import { importFile, wikiNameOf } from './import-file.ts'

/** Creates a wiki, empty or with the content of a file. */
export function NewWiki() {
  const router = useRouter()
  const [name, setName] = useState('')
  const [file, setFile] = useState<File>()
  const [said, setSaid] = useState<{ ok: boolean; words: string }>()
  const [create, busy] = useAction(async () => {
    setSaid(undefined)
    const reply = await replyTo(client.call('createWiki', { body: { name } }))
    if (!reply.ok)
      return setSaid({
        ok: false,
        words: changeError(reply)
      })
    setSaid(file === undefined ? undefined : await importFile(name, file))
    setName('')
    setFile(undefined)
    router.refresh()
  })
  return (
    <form
      aria-label="New wiki"
      data-hook="new-wiki"
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
      className="flex max-w-[760px] flex-col gap-3"
    >
      <div className="flex flex-wrap items-end gap-2">
        <label className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
          <span className="font-semibold">Wiki name</span>
          <input
            value={name}
            onChange={event => setName(event.target.value)}
            required
            maxLength={64}
            pattern="[a-z0-9\-]+"
            title="Use lowercase letters, digits and hyphens"
            autoComplete="off"
            className="tap h-[30px] rounded-sm border border-rail bg-panel px-2"
          />
        </label>
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
      <p role="status" data-hook="import-notice" className={said?.ok ? '' : 'sr-only'}>
        {said?.ok ? said.words : ''}
      </p>
      <p role="alert" data-hook="import-error" className="text-fail empty:hidden">
        {said && !said.ok ? said.words : ''}
      </p>
    </form>
  )
}
