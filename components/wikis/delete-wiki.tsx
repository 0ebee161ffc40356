'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Choice } from '#components/session/choice.tsx'
import { httpTo } from '#components/session/http.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { Wiki } from '#lib/protocol/wiki.ts'

/** Deletes a wiki. It asks once. */
export function DeleteWiki({ wiki: { name, tiddlers } }: { wiki: Wiki }) {
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const remove = async () => {
    const reply = await httpTo('')('DELETE', `/api/wikis/${name}`)
    if (!reply.ok)
      return setFault(reply.lost ? 'The server does not answer. Try again.' : reply.refusal.error)
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
        description={`Its ${tiddlers} ${tiddlers === 1 ? 'tiddler is' : 'tiddlers are'} gone for good, and agents find it no more. Export it first if you may want it again.`}
      >
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <Choice act="Delete wiki" onAct={() => void remove()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}
