'use client'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { client } from '#components/browser/client.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { Empty } from '#components/ui/empty.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { AddPluginButton } from './add-plugin-button.tsx'
import { StatusBadge } from './plugin-status.tsx'
import { countOf, givesOf, versionError } from './plugin-words.ts'
import { usePolled } from './use-polled.ts'
import { ViewIcon } from './views/view-icon.tsx'

/** Lists the gRPC plugins of the workspace: what each provides, and its current state. */
export function PluginList({ plugins: first }: { plugins: PluginStatus[] }) {
  const { value, offline } = usePolled({
    queryKey: ['plugins'],
    queryFn: () => client.call('listHostedPlugins'),
    first: { plugins: first }
  })
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="text-muted empty:hidden">
        {offline ? `${unreachable} Retrying…` : ''}
      </p>
      {value.plugins.length === 0 ? (
        <Empty title="No plugins yet" action={<AddPluginButton />}>
          A plugin is a program on another server that adds tools, models or views.{' '}
          <a href={client.href('listProtos')} className="reach underline">
            Read the plugin contract
          </a>
        </Empty>
      ) : (
        <Rows aria-label="Plugins" data-hook="plugins">
          {value.plugins.map(plugin => (
            <PluginRow key={plugin.name} plugin={plugin} />
          ))}
        </Rows>
      )}
    </div>
  )
}

function PluginRow({ plugin }: { plugin: PluginStatus }) {
  const { name, version, about, source, state, skipped, restarts, withheld, added } = plugin
  const gives = givesOf(plugin)
  const fault = versionError(plugin)
  return (
    <Row
      mark={about?.icon === undefined ? undefined : <ViewIcon name={about.icon} />}
      href={`/plugins/${encodeURIComponent(name)}`}
      name={name}
      about={
        <>
          {about === undefined ? null : (
            <p data-hook="about">
              <VisibleText text={about.description} />
            </p>
          )}
          <StatusBadge state={state} />
          <p data-hook="gives">
            {gives === '' ? null : `${gives} · `}
            <code className="font-mono text-mono">{source}</code>
            {restarts === 0 ? null : ` · restarted ${countOf(restarts, 'time')}`}
          </p>
        </>
      }
      actions={
        <>
          {fault === '' ? null : (
            <span data-hook="version-fault" className="text-fail">
              {fault}
            </span>
          )}
          {added?.disabled ? <span className="font-semibold">Disabled</span> : null}
          {withheld === undefined ? null : (
            <span data-hook="withheld" className="font-semibold">
              Update to review
            </span>
          )}
          {skipped.length === 0 ? null : (
            <span data-hook="skipped" className="font-semibold">
              {skipped.length} skipped
            </span>
          )}
          {version === undefined ? null : <span className="text-muted">{version}</span>}
        </>
      }
    />
  )
}
