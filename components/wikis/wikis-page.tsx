'use client'
import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { type ReactNode, useRef, useState } from 'react'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { FileDrop } from './file-drop.tsx'
import { NewWiki } from './new-wiki.tsx'
import { WikiList } from './wiki-list.tsx'

/** The page with the list of wikis. Editors can create one, also from a file. */
export function WikisPage({ wikis }: { wikis: readonly Wiki[] }) {
  const { me } = useWorkspace()
  /** The file that a new wiki starts with, true for an empty one, or undefined without a form. */
  const [start, setStart] = useState<File | true>()
  const button = useRef<HTMLButtonElement>(null)
  const isEmpty = wikis.length === 0
  const create = me.mayEdit ? (
    <Button ref={button} tone="primary" data-hook="open-new-wiki" onClick={() => setStart(true)}>
      New wiki
    </Button>
  ) : null
  // The control that opened the form moves with the first wiki, before or after the form closes.
  const focusIfLost = () => {
    if (document.activeElement === document.body) button.current?.focus()
  }
  useEffectOnChange([isEmpty], focusIfLost)
  const close = () => {
    setStart(undefined)
    setTimeout(focusIfLost)
  }
  return (
    <Page title="Wikis" actions={isEmpty ? null : create}>
      {isEmpty ? null : <WikiList wikis={wikis} />}
      {me.mayEdit ? (
        <div className={isEmpty ? '' : 'pt-6'}>
          <FileDrop label="New wiki from a file" onFile={setStart}>
            {isEmpty
              ? choose => (
                  <NoWikis
                    action={
                      <div className="relative flex flex-wrap justify-center gap-2">
                        {create}
                        {choose}
                      </div>
                    }
                  />
                )
              : undefined}
          </FileDrop>
        </div>
      ) : isEmpty ? (
        <NoWikis>Ask an editor or owner to create a wiki.</NoWikis>
      ) : null}
      <Dialog open={start !== undefined} onOpenChange={close} title="New wiki">
        <NewWiki first={start === true ? undefined : start} close={close} />
      </Dialog>
    </Page>
  )
}

const NoWikis = ({ action, children }: { action?: ReactNode; children?: ReactNode }) => (
  <Empty title="No wikis yet" data-hook="no-wikis" action={action}>
    Pages that your agents can search and cite. {children}
  </Empty>
)
