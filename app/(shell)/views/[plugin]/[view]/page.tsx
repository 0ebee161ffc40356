import type { Metadata } from 'next'
import { ViewBody } from '#components/plugins/views/view-body.tsx'
import { ViewTabs } from '#components/plugins/views/view-tabs.tsx'
import { Page } from '#components/workspace/page.tsx'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { findView, listViews } from '#lib/plugins/views/views.ts'

export const metadata: Metadata = { title: 'View' }

type Props = {
  params: Promise<{ plugin: string; view: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function View({ params, searchParams }: Props) {
  const ctx = await requireSignIn()
  const { plugin, view } = await params
  const { workspaceId } = ctx
  const wanted = { workspaceId, plugin, view }
  const query = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : []
  )
  const { listed, shown } = await orNotFound(findView(ctx, { ...wanted, params: Object.fromEntries(query) }))
  const beside = (await listViews(ctx, { workspaceId })).filter(({ scope }) => scope === 'workspace')
  return (
    <Page
      title={listed.label}
      tabs={listed.scope === 'workspace' ? <ViewTabs views={beside} open={listed} /> : null}
    >
      <ViewBody
        key={`${listed.plugin}/${listed.name}`}
        workspaceId={workspaceId}
        plugin={listed.plugin}
        shown={shown}
      />
    </Page>
  )
}
