import type { Metadata } from 'next'
import { WikisPage } from '#components/wikis/wikis-page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listWikis } from '#lib/features/wikis/list-wikis.ts'

export const metadata: Metadata = { title: 'Wikis' }

export default async function Wikis() {
  const { wikis } = await listWikis(await requireSignIn())
  return <WikisPage wikis={wikis} />
}
