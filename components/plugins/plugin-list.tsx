'use client'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { client } from '#components/browser/client.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Link } from '#components/workspace/link.tsx'
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
        <Empty />
      ) : (
        <ul aria-label="Plugins" data-hook="plugins" className="border-t">
          {value.plugins.map(plugin => (
            <PluginRow key={plugin.name} plugin={plugin} />
          ))}
        </ul>
      )}
    </div>
  )
}

function PluginRow({ plugin }: { plugin: PluginStatus }) {
  const { name, version, about, source, state, skipped, restarts, withheld, added } = plugin
  const gives = givesOf(plugin)
  const fault = versionError(plugin)
  return (
    <li className="flex flex-col gap-0.5 border-b py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Link
          href={`/plugins/${encodeURIComponent(name)}`}
          className="tap inline-flex max-w-full items-center gap-2 text-person font-semibold [overflow-wrap:anywhere]"
        >
          {about?.icon === undefined ? null : <ViewIcon name={about.icon} />}
          {name}
        </Link>
        {version === undefined ? null : <span className="text-muted">{version}</span>}
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
      </p>
      {about === undefined ? null : (
        <p data-hook="about" className="[overflow-wrap:anywhere]">
          <VisibleText text={about.description} />
        </p>
      )}
      <StatusBadge state={state} />
      <p data-hook="gives" className="text-muted [overflow-wrap:anywhere]">
        {gives === '' ? null : `${gives} · `}
        <code className="font-mono text-mono">{source}</code>
        {restarts === 0 ? null : ` · restarted ${countOf(restarts, 'time')}`}
      </p>
    </li>
  )
}

function Empty() {
  return (
    <div className="flex max-w-[68ch] flex-col gap-3">
      <p>
        No plugins yet. A plugin is a small gRPC server, in any language, that adds tools, models, hooks or
        views.
      </p>
      <p className="text-muted">
        To add one, an owner selects “Add plugin”, or the server operator writes{' '}
        <code>plugin "weather" {'{ … }'}</code> in the workspace file. See the guide in{' '}
        <code>docs/plugins-grpc.md</code> and the contract at{' '}
        <a href={client.href('listProtos')}>{client.href('listProtos')}</a>.
      </p>
    </div>
  )
}
