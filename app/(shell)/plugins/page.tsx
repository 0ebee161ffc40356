import type { Metadata } from 'next'
import { PluginList } from '#components/plugins/plugin-list.tsx'
import { Page } from '#components/shell/page.tsx'
import { signedIn } from '#lib/auth/sign-in/signed-in.ts'
import { listHosted } from '#lib/plugins/hosted.ts'

export const metadata: Metadata = { title: 'Plugins' }

export default async function Plugins() {
  const { plugins } = await listHosted(await signedIn())
  return (
    <Page title="Plugins">
      <PluginList plugins={plugins} />
    </Page>
  )
}
