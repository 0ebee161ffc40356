import type { Metadata } from 'next'
import { GivePlugin } from '#components/agents/give-plugin.tsx'
import { pluginEntries } from '#components/agents/plugin-grants.ts'
import { PluginView } from '#components/plugins/plugin-page.tsx'
import { Page } from '#components/workspace/page.tsx'
import { listAgents } from '#lib/agents/list.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { getGrpcPlugin } from '#lib/plugins/hosted.ts'
import { listSettings } from '#lib/plugins/settings/settings.ts'

export const metadata: Metadata = { title: 'Plugin' }

type Props = { params: Promise<{ plugin: string }> }

export default async function Plugin({ params }: Props) {
  const ctx = await requireSignIn()
  const { plugin: name } = await params
  const { logs, ...plugin } = await orNotFound(getGrpcPlugin(ctx, { plugin: name }))
  const { mayEdit } = permissionsOf(ctx.actor)
  const { workspaceId } = ctx
  const { agents } = mayEdit ? await listAgents(ctx, {}) : { agents: [] }
  const settings = mayEdit
    ? (await listSettings(ctx, { workspaceId })).find(one => one.name === plugin.name)
    : undefined
  return (
    <Page
      title={plugin.version === undefined ? plugin.name : `${plugin.name} ${plugin.version}`}
      above={{ href: '/plugins', label: 'Plugins' }}
    >
      <PluginView
        key={plugin.name}
        first={{ ...plugin, ...(mayEdit ? { logs } : {}) }}
        settings={settings}
        workspaceId={workspaceId}
        give={
          mayEdit ? (
            <GivePlugin
              plugin={plugin.name}
              tools={plugin.tools.map(({ name }) => name)}
              agents={agents.map(agent => ({
                agentId: agent.agentId,
                displayName: agent.displayName,
                entries: pluginEntries(agent)
              }))}
            />
          ) : undefined
        }
      />
    </Page>
  )
}
