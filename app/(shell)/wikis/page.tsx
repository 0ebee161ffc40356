import type { Metadata } from 'next'
import { NewWiki } from '#components/wikis/new-wiki.tsx'
import { WikiList } from '#components/wikis/wiki-list.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listWikis } from '#lib/features/wikis/list-wikis.ts'

export const metadata: Metadata = { title: 'Wikis' }

export default async function Wikis() {
  const { wikis } = await listWikis(await requireSignIn())
  return (
    <Page title="Wikis" actions={<NewWiki />}>
      <WikiList wikis={wikis} />
    </Page>
  )
}
