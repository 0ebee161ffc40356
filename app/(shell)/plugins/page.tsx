import type { Metadata } from 'next'
import { AddPlugin } from '#components/plugins/add-plugin.tsx'
import { AddPluginButton } from '#components/plugins/add-plugin-button.tsx'
import { PluginList } from '#components/plugins/plugin-list.tsx'
import { SettingSection } from '#components/settings/setting-section.tsx'
import { SettingsFrame } from '#components/settings/settings-frame.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listGrpcPlugins } from '#lib/plugins/hosted.ts'

export const metadata: Metadata = { title: 'Plugins' }

type Props = { searchParams: Promise<{ add?: string }> }

/** The list, or with `?add` the form that adds a plugin. A path of its own could be the name of a plugin. */
export default async function Plugins({ searchParams }: Props) {
  const ctx = await requireSignIn()
  if ((await searchParams).add !== undefined)
    return (
      <SettingsFrame>
        <SettingSection title="Add plugin">
          <AddPlugin />
        </SettingSection>
      </SettingsFrame>
    )
  const { plugins } = await listGrpcPlugins(ctx)
  return (
    <SettingsFrame>
      <SettingSection title="Plugins" action={plugins.length === 0 ? null : <AddPluginButton />}>
        <PluginList plugins={plugins} />
      </SettingSection>
    </SettingsFrame>
  )
}
