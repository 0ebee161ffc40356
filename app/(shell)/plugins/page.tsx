import type { Metadata } from 'next'
import { PluginList } from '#components/plugins/plugin-list.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listGrpcPlugins } from '#lib/plugins/hosted.ts'

export const metadata: Metadata = { title: 'Plugins' }

export default async function Plugins() {
  const { plugins } = await listGrpcPlugins(await requireSignIn())
  return (
    <Page title="Plugins">
      <PluginList plugins={plugins} />
    </Page>
  )
}
