import type { Metadata } from 'next'
import { WikiPage } from '#components/wikis/wiki-page.tsx'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { checkWiki } from '#lib/features/wikis/check-wiki.ts'
import { listWikiChanges } from '#lib/features/wikis/list-changes.ts'
import { listTiddlers } from '#lib/features/wikis/list-tiddlers.ts'
import { getWiki } from '#lib/features/wikis/list-wikis.ts'
import { findTiddler } from '#lib/features/wikis/read-tiddler.ts'

export const metadata: Metadata = { title: 'Wiki' }

type Props = {
  params: Promise<{ wiki: string }>
  searchParams: Promise<Partial<Record<'tiddler' | 'changes' | 'problems', string | string[]>>>
}

export default async function Wiki({ params, searchParams }: Props) {
  const ctx = await requireSignIn()
  const { wiki: name } = await params
  const { tiddler, changes: chosen, problems: checked } = await searchParams
  const shown = typeof tiddler === 'string' && tiddler !== '' ? tiddler : undefined
  const wiki = await orNotFound(getWiki(ctx, { wiki: name }))
  const [first, rendered, changes, problems] = await Promise.all([
    listTiddlers(ctx, { wiki: name, order: 'title', offset: 0, limit: 50 }),
    shown === undefined ? undefined : findTiddler(ctx, { wiki: name, title: shown }),
    shown === undefined ? listWikiChanges(ctx, { wiki: name, limit: 20 }) : undefined,
    shown === undefined && checked !== undefined ? checkWiki(ctx, name) : undefined
  ])
  const changesChosen = shown === undefined && chosen !== undefined
  return <WikiPage {...{ wiki, first, shown, rendered, changes, changesChosen, problems }} />
}
