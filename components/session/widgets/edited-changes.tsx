'use client'
import { useEffect, useState } from 'react'
import { ChangeList } from '#components/session/change-list.tsx'
import { faultOf } from '#components/session/fault-of.ts'
import { useSessionContext } from '#components/session/session-context.ts'
import type { AgentRevision } from '#lib/protocol/agent-revision.ts'
import { diffConfigs } from '#lib/protocol/config-diff.ts'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import { widens } from '#lib/protocol/widens.ts'

/** What a proposal would change as somebody has edited it, before they publish it: nobody publishes what they were not shown. */
export function EditedChanges({ proposal }: { proposal: unknown }) {
  const { agent, store } = useSessionContext()
  const [base, setBase] = useState<{ revision: string; config?: unknown; fault?: string }>()
  const { base_revision_id: id, config } = isJsonObject(proposal) ? proposal : {}
  const revision = typeof id === 'string' ? id.split('@').at(-1) : undefined
  useEffect(() => {
    if (revision === undefined || !/^[1-9]\d*$/.test(revision)) return
    let wanted = true
    const path = `/api/agents/${encodeURIComponent(agent.agentId)}/revisions/${revision}`
    void store.http<AgentRevision>('GET', path).then(reply => {
      if (wanted)
        setBase(reply.ok ? { revision, config: reply.body.config } : { revision, fault: faultOf(reply) })
    })
    return () => {
      wanted = false
    }
  }, [agent.agentId, revision, store])
  if (base === undefined || base.revision !== revision || !isJsonObject(config)) return null
  if (base.fault !== undefined)
    return (
      <p role="alert" className="text-fail">
        What this would change could not be looked up: {base.fault}
      </p>
    )
  const edited = { type: 'chat', ...config }
  return (
    <ChangeList
      changes={diffConfigs(base.config, edited)}
      widens={widens(base.config, edited)}
      of="what you edited"
    />
  )
}
