import { useRead } from '#components/browser/queries.tsx'
import { KitSwitch } from '#components/session/content/kit-switch.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useKit } from '#components/session/store/use-kit.ts'
import { useOverlaid } from '#components/session/store/use-overlaid.ts'
import { useRevision } from '#components/session/store/use-revision.ts'
import { revisionName } from '#components/session/wording/revision-name.ts'
import { Json } from '#components/ui/json.tsx'
import { PinControl } from './pin-control.tsx'

/**
 * The configuration of this session's agent. An encrypted value appears as ••••, which shows that it is set.
 */
export function ConfigTab() {
  const { agent, sessionId } = useSessionContext()
  const { revision, pinned } = useRevision()
  const kit = useKit()
  const overlaid = useOverlaid()
  const config = useRevisionConfig(revision)
  const facts = [
    ['session', sessionId],
    ['agent', agent.agentId],
    [
      'version',
      revision === undefined
        ? '—'
        : `${revisionName(revision)}${pinned ? ', pinned' : ''}${kit ? ', with the build kit' : overlaid ? ', with an overlay' : ''}`
    ]
  ] as const
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto px-4 py-3">
      <dl data-hook="session-facts" className="grid grid-cols-[96px_minmax(0,1fr)] font-mono text-mono">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {revision === undefined ? null : <PinControl revision={revision} pinned={pinned} />}
      {agent.external ? null : <KitSwitch />}
      {config === undefined ? (
        <p className="text-muted">The configuration is not available on this page.</p>
      ) : (
        <Json label="Configuration" value={config} />
      )}
    </div>
  )
}

/**
 * Returns the configuration of a revision of this session's agent, from the page or else from the server.
 * Returns undefined while it loads and if loading fails.
 */
function useRevisionConfig(revision: number | undefined): unknown {
  const { agent, store } = useSessionContext()
  const { agentId } = agent
  const isGiven = revision === undefined || revision === agent.revision
  const { data } = useRead({
    queryKey: ['revision', agentId, revision],
    queryFn: () => store.client.call('getAgentRevision', { path: { agentId, revision: revision ?? 0 } }),
    enabled: !isGiven
  })
  if (isGiven) return agent.config
  return data?.config.type === 'chat' ? data.config.chat : data?.config.external
}
