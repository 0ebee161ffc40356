import type { Metadata } from 'next'
import { CatalogueList } from '#components/agents/catalogue-list.tsx'
import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Catalog' }

export default async function Catalogue() {
  const { entries } = await listCatalogue(await requireSignIn(), { archived: true })
  return <CatalogueList entries={entries} />
}
