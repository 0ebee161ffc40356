import type { Metadata } from 'next'
import { CatalogueEntryPage } from '#components/agents/catalogue-entry.tsx'
import { getCatalogueEntry } from '#lib/agents/catalogue/get.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Catalog entry' }

export default async function Entry({ params }: { params: Promise<{ slug: string }> }) {
  const ctx = await requireSignIn()
  const { slug } = await params
  return <CatalogueEntryPage key={slug} entry={await orNotFound(getCatalogueEntry(ctx, { slug }))} />
}
