'use client'
import type { RenderedTiddler, TiddlerPage, WikiWithTags } from '@waystation/protocol/wiki/wiki.ts'
import type { WikiChanges } from '@waystation/protocol/wiki/wiki-change.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { FileDrop } from './file-drop.tsx'
import { importFile, type WikiResult } from './import-file.ts'
import { RecentChanges } from './recent-changes.tsx'
import { TiddlerList } from './tiddler-list.tsx'
import { TiddlerView } from './tiddler-view.tsx'
import { useWikiChanges } from './use-wiki-changes.ts'
import { WikiOutcome } from './wiki-outcome.tsx'

type WikiPageProps = {
  wiki: WikiWithTags
  first: TiddlerPage
  /** The title of the tiddler in the URL. If the wiki does not contain it, `rendered` is undefined. */
  shown: string | undefined
  rendered: RenderedTiddler | undefined
  /** The newest changes by agents, if no tiddler is shown. */
  changes: WikiChanges | undefined
  /** True if the URL selects the changes. */
  changesChosen: boolean
}

/** Shows the tiddlers of a wiki, and the selected one or the recent changes. A small screen shows only one of the two. */
export function WikiPage({ wiki, first, shown, rendered, changes, changesChosen }: WikiPageProps) {
  const { me } = useWorkspace()
  useWikiChanges(wiki)
  const chosen = shown !== undefined || changesChosen
  return (
    <Page title={wiki.name} above={{ href: '/wikis', label: 'Wikis' }}>
      <div className="grid gap-8 mid:grid-cols-[240px_minmax(0,1fr)]">
        <div className={`flex min-w-0 flex-col gap-6 ${chosen ? 'max-mid:hidden' : ''}`}>
          <Link
            href={`/wikis/${wiki.name}?changes`}
            aria-current={changesChosen ? 'page' : undefined}
            data-hook="open-changes"
            className="tap inline-flex items-center self-start aria-[current]:font-semibold"
          >
            Recent changes
          </Link>
          <TiddlerList wiki={wiki} first={first} shown={shown} />
          <Import wiki={wiki.name} />
        </div>
        <div className={`min-w-0 ${chosen ? '' : 'max-mid:hidden'}`}>
          {chosen ? (
            <Link
              href={`/wikis/${wiki.name}`}
              className="tap mb-2 inline-flex items-center text-muted mid:hidden"
            >
              ‹ All tiddlers
            </Link>
          ) : null}
          {rendered !== undefined ? (
            <TiddlerView key={rendered.tiddler.title} rendered={rendered} />
          ) : shown !== undefined ? (
            <p data-hook="no-tiddler" className="max-w-[68ch]">
              There is no tiddler “{shown}” in this wiki.
            </p>
          ) : changes !== undefined && (changesChosen || changes.changes.length > 0) ? (
            <RecentChanges wiki={wiki.name} first={changes} />
          ) : (
            <p className="max-w-[68ch] text-muted">
              {wiki.tiddlers === 0
                ? `This wiki is empty. ${me.mayEdit ? 'Import a TiddlyWiki file.' : 'Ask an editor or owner to import a file.'}`
                : 'Select a tiddler to read it.'}
            </p>
          )}
        </div>
      </div>
    </Page>
  )
}

function Import({ wiki }: { wiki: string }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<WikiResult>()
  if (!me.mayEdit) return null
  const take = async (file: File) => {
    setBusy(true)
    setSaid(await importFile(wiki, file))
    setBusy(false)
    router.refresh()
  }
  return (
    <div className="flex flex-col gap-2">
      <FileDrop label="Import a file" disabled={busy} onFile={file => void take(file)} />
      <WikiOutcome said={said} importing={busy} />
    </div>
  )
}
