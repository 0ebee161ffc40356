'use client'
import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** Deletes a wiki, after a confirmation. */
export function DeleteWiki({ wiki: { name, tiddlers } }: { wiki: Wiki }) {
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const remove = async () => {
    const reply = await replyTo(client.call('deleteWiki', { path: { wiki: name } }))
    if (!reply.ok) return setFault(readError(reply))
    setAsked(false)
    router.refresh()
  }
  return (
    <>
      <Button
        data-hook="delete-wiki"
        tone="quiet"
        aria-label={`Delete ${name}…`}
        onClick={() => setAsked(true)}
      >
        Delete…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete the wiki ${name}?`}
        description={`This permanently deletes the wiki and its ${tiddlers} ${tiddlers === 1 ? 'tiddler' : 'tiddlers'}. If you might need the wiki again, export it first.`}
      >
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <ConfirmButtons act="Delete wiki" onAct={() => void remove()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}
