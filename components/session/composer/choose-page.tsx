import type { ActivePage } from '@waystation/protocol/external-agent/active-item.ts'
import { useState } from 'react'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useTiddlers } from '#components/browser/use-tiddlers.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'

type ChoosePageProps = { onChosen: (page: ActivePage) => void }

/** A button and a dialog to search for a page in the workspace's wikis and choose it. */
export function ChoosePage({ onChosen }: ChoosePageProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button data-hook="choose-page" tone="quiet" onClick={() => setOpen(true)}>
        Choose wiki page…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Send a wiki page with messages"
        description="Each message includes the page as it is at that moment."
      >
        <PageOfWiki
          onChosen={page => {
            setOpen(false)
            onChosen(page)
          }}
        />
        <div className="pt-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  )
}

/** Loads the wikis. If there are several, the user selects one before choosing a page. */
function PageOfWiki({ onChosen }: ChoosePageProps) {
  const { client } = useSessionContext().store
  const [chosen, setChosen] = useState('')
  const query = useRead({ queryKey: ['wikis'], queryFn: () => client.call('listWikis') })
  const fault = faultOf(query)
  if (fault !== undefined)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-fail">
        {fault} <Button onClick={() => void query.refetch()}>Try again</Button>
      </p>
    )
  const wikis = query.data?.wikis.map(({ name }) => name)
  if (wikis === undefined) return <p className="text-muted">Loading wikis…</p>
  const wiki = chosen || wikis[0]
  if (wiki === undefined)
    return (
      <p data-hook="no-wiki" className="text-muted">
        This workspace has no wikis yet. Create one under Wikis.
      </p>
    )
  return (
    <div className="flex min-w-0 flex-col gap-2 text-ui">
      {wikis.length === 1 ? null : (
        <Select aria-label="Wiki" value={wiki} onChange={setChosen} options={wikis} className="w-full" />
      )}
      <Pages key={wiki} wiki={wiki} onChosen={onChosen} />
    </div>
  )
}

function Pages({ wiki, onChosen }: ChoosePageProps & { wiki: string }) {
  const { client } = useSessionContext().store
  const { page, fault, search, setSearch, more } = useTiddlers(client, wiki, undefined)
  return (
    <>
      <Input
        type="search"
        value={search}
        onChange={event => setSearch(event.target.value)}
        placeholder={`Search ${wiki}`}
        aria-label={`Search ${wiki}`}
        className="w-full"
      />
      <p role="status" data-hook="page-count" className="text-muted tabular-nums">
        {page === undefined ? 'Loading…' : `${page.total} ${page.total === 1 ? 'page' : 'pages'}`}
      </p>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <ul aria-label="Pages" className="max-h-[40dvh] overflow-y-auto border-t empty:hidden">
        {page?.tiddlers.map(({ title }) => (
          <li key={title} className="border-b">
            <button
              type="button"
              onClick={() => onChosen({ type: 'wiki', wiki, title })}
              className="tap w-full py-1.5 text-left [overflow-wrap:anywhere] hover:underline"
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
      {page?.nextOffset == null ? null : <Button onClick={more}>Load more pages</Button>}
    </>
  )
}
