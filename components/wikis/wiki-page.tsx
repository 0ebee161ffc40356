'use client'
import type { RenderedTiddler, TiddlerPage, WikiWithTags } from '@waystation/protocol/wiki/wiki.ts'
import type { WikiChanges } from '@waystation/protocol/wiki/wiki-change.ts'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { SplitPage } from '#components/workspace/page.tsx'
import { TabLinks } from '#components/workspace/tab-links.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { FileDrop } from './file-drop.tsx'
import { importFile, type WikiResult } from './import-file.ts'
import { RecentChanges } from './recent-changes.tsx'
import { TiddlerList } from './tiddler-list.tsx'
import { TiddlerView } from './tiddler-view.tsx'
import { useWikiChanges } from './use-wiki-changes.ts'
import { WikiOutcome } from './wiki-outcome.tsx'
import { WikiProblemList, type WikiProblems } from './wiki-problems.tsx'

type WikiPageProps = {
  wiki: WikiWithTags
  first: TiddlerPage
  /** The title of the page in the URL. If the wiki does not contain it, `rendered` is undefined. */
  shown: string | undefined
  rendered: RenderedTiddler | undefined
  /** The newest changes by agents, if no page is shown. */
  changes: WikiChanges | undefined
  /** True if the URL selects the changes. */
  changesChosen: boolean
  /** Set if the URL selects the problems. */
  problems: WikiProblems | undefined
}

/** Shows the pages of a wiki, and beside them the selected one, the recent changes or the problems. */
export function WikiPage({ wiki, first, ...chosen }: WikiPageProps) {
  const { me, agents, newSession } = useWorkspace()
  const router = useRouter()
  useWikiChanges(wiki)
  const { changes } = chosen
  const path = `/wikis/${wiki.name}`
  return (
    <SplitPage
      title={wiki.name}
      above={{ href: '/wikis', label: 'Wikis' }}
      label="Page of the wiki"
      onBack={() => router.push(path)}
      tabs={
        <TabLinks
          label="Parts of the wiki"
          open={`${path}${chosen.changesChosen ? '?changes' : chosen.problems === undefined ? '' : '?problems'}`}
          tabs={[
            { href: path, label: 'Pages' },
            { href: `${path}?changes`, label: 'Recent changes', hook: 'open-changes' },
            { href: `${path}?problems`, label: 'Problems', hook: 'open-problems' }
          ]}
        />
      }
      actions={
        me.maySend && agents.length > 0 ? (
          <Button data-hook="ask-agent" onClick={() => newSession(undefined, `In the wiki ${wiki.name}: `)}>
            Ask an agent
          </Button>
        ) : null
      }
      list={
        <div className="flex min-w-0 flex-col gap-4">
          <TiddlerList wiki={wiki} first={first} shown={chosen.shown} />
          <Import wiki={wiki.name} />
        </div>
      }
      detail={detailOf(wiki.name, chosen)}
      empty={
        changes !== undefined && changes.changes.length > 0 ? (
          <RecentChanges wiki={wiki.name} first={changes} />
        ) : (
          <Empty title={wiki.tiddlers === 0 ? 'This wiki is empty' : 'No page is open'}>
            {wiki.tiddlers > 0
              ? 'Select a page to read it.'
              : me.mayEdit
                ? 'Import a TiddlyWiki file.'
                : 'Ask an editor or owner to import a file.'}
          </Empty>
        )
      }
    />
  )
}

/** Returns what the URL selects, or undefined if it selects nothing. */
function detailOf(
  wiki: string,
  { shown, rendered, changes, changesChosen, problems }: Omit<WikiPageProps, 'wiki' | 'first'>
): ReactNode {
  if (rendered !== undefined) return <TiddlerView key={rendered.tiddler.title} rendered={rendered} />
  if (shown !== undefined)
    return (
      <p data-hook="no-tiddler" className="max-w-[68ch]">
        There is no page “{shown}” in this wiki.
      </p>
    )
  if (problems !== undefined) return <WikiProblemList wiki={wiki} problems={problems} />
  return changesChosen && changes !== undefined ? <RecentChanges wiki={wiki} first={changes} /> : undefined
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
