'use client'
import type { PluginDetails, PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError, unreachable } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { ViewIcon } from '#components/plugins/views/view-icon.tsx'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Section } from '#components/ui/section.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddedActions, Withheld } from './added-actions.tsx'
import { GiveToAgents } from './give-to-agents.tsx'
import { PluginLog } from './plugin-log.tsx'
import { Named, Skipped } from './plugin-parts.tsx'
import { StatusBadge } from './plugin-status.tsx'
import { callsOf, countOf, givesOf, makerOf, versionError } from './plugin-words.ts'
import { SettingsForm } from './settings-form.tsx'
import { usePolled } from './use-polled.ts'

type PluginViewProps = {
  first: PluginStatus & Partial<Pick<PluginDetails, 'logs'>>
  settings?: PluginSettings | undefined
  workspaceId: string
  /** Gives the plugin's tools to an agent. */
  give?: ReactNode
}

/**
 * A plugin with its state, settings, hooks, tools, views and log, and the parts that were skipped. Editors
 * can restart it.
 */
export function PluginView({ first, settings, workspaceId, give }: PluginViewProps) {
  const { me } = useWorkspace()
  const { name } = first
  const polled = usePolled({
    queryKey: ['plugin', name],
    queryFn: () => client.call('getHostedPlugin', { path: { plugin: name } }),
    enabled: me.mayEdit,
    first
  })
  const { value: plugin, offline, gone, take } = polled
  const router = useRouter()
  const cameUp = first.state.kind !== 'serving' && plugin.state.kind === 'serving'
  useEffect(() => {
    // The fields of the settings form are known only after the plugin has started.
    if (cameUp) router.refresh()
  }, [cameUp, router])
  const [fault, setFault] = useState('')
  const [restart, busy] = useAction(async () => {
    const reply = await replyTo(client.call('restartHostedPlugin', { path: { plugin: name } }))
    if (reply.ok) take(reply.body)
    setFault(reply.ok ? '' : readError(reply))
  })
  const { state, source, version, about, restarts, tools, views, hooks, skipped, logs, added } = plugin
  const gives = givesOf(plugin)
  const maker = makerOf(plugin)
  const wrongVersion = versionError(plugin)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5 [overflow-wrap:anywhere]">
          {about === undefined ? null : (
            <p data-hook="about" className="flex items-center gap-2">
              {about.icon === undefined ? null : <ViewIcon name={about.icon} />}
              <VisibleText text={about.description} />
            </p>
          )}
          {version === undefined && maker === '' ? null : (
            <p data-hook="maker" className="text-muted">
              <VisibleText text={[version && `Version ${version}`, maker].filter(Boolean).join(', ')} />
            </p>
          )}
          {wrongVersion === '' ? null : (
            <p data-hook="version-fault" className="text-fail">
              <VisibleText text={wrongVersion} />
            </p>
          )}
          <StatusBadge state={state} />
          <p data-hook="plugin-source" data-restarts={restarts} className="text-muted">
            <code className="font-mono text-mono">{source}</code>
            {restarts === 0 ? null : ` · restarted ${countOf(restarts, 'time')}`}
          </p>
          <p>
            {added?.disabled
              ? 'Agents do not use it, and it adds no pages.'
              : gives === ''
                ? 'Its tools, models, hooks and views appear once it starts.'
                : `Provides ${gives}.`}
          </p>
        </div>
        {me.mayEdit && !added?.disabled ? (
          <Button onClick={() => void restart()} disabled={busy || gone} data-hook="restart-plugin">
            {busy ? 'Restarting…' : 'Restart plugin'}
          </Button>
        ) : null}
      </div>
      <p role="status" className="text-muted empty:hidden">
        {gone
          ? added === undefined
            ? 'This plugin is no longer in the workspace file.'
            : 'An owner removed this plugin.'
          : offline
            ? `${unreachable} Retrying…`
            : ''}
      </p>
      <Fault>{fault}</Fault>
      <Withheld plugin={plugin} />
      {added === undefined || gone ? null : (
        <AddedActions name={name} added={added} mayOwn={me.mayOwn} onChanged={take} />
      )}
      <Skipped skipped={skipped} />
      {settings === undefined || settings.schema.length === 0 ? null : (
        <Section title="Settings">
          <SettingsForm workspaceId={workspaceId} of={settings} maySave={me.mayOwn} />
        </Section>
      )}
      {hooks === undefined ? null : (
        <Section title="Hooks">
          <p data-hook="hook-events" className="max-w-[68ch]">
            Receives {hooks.events.length === 9 ? 'all nine events' : hooks.events.join(', ')}.{' '}
            <span className="text-muted">{callsOf(hooks)}</span>
          </p>
        </Section>
      )}
      {added === undefined || added.disabled ? null : <GiveToAgents plugin={plugin} give={give} />}
      <Named title="Tools" items={tools.map(({ name, description }) => ({ name, words: description }))} />
      <Named title="Views" items={views.map(({ name, label }) => ({ name, words: label }))} />
      {logs === undefined ? null : (
        <Section title="Log">
          <PluginLog lines={logs} isLocal={source.startsWith('local:')} />
        </Section>
      )}
    </div>
  )
}
