'use client'
import { Json } from '#components/session/json.tsx'
import { useSessionContext } from '#components/session/session-context.ts'

/** What the agent of this session is made of. A sealed value shows as ••••, so that one sees that it is set. */
export function ConfigTab() {
  const { agent, sessionId } = useSessionContext()
  const facts = [
    ['session', sessionId],
    ['agent', agent.agentId],
    ['revision', agent.revision === undefined ? '—' : String(agent.revision)]
  ] as const
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto px-4 py-3">
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] font-mono text-mono">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {agent.config === undefined ? (
        <p className="text-muted">The configuration was not given to this page.</p>
      ) : (
        <Json label="Configuration" value={agent.config} />
      )}
    </div>
  )
}
