'use client'
import { useEffect, useState } from 'react'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the configuration of a revision of this session's agent, from the page or else from the server.
 * Returns undefined while it loads and if loading fails.
 */
export function useRevisionConfig(revision: number | undefined): unknown {
  const { agent, store } = useSessionContext()
  const [asked, setAsked] = useState<{ revision: number; config: unknown }>()
  const isGiven = revision === undefined || revision === agent.revision
  useEffect(() => {
    if (isGiven) return
    let stays = true
    const path = { agentId: agent.agentId, revision }
    void replyTo(store.client.call('getAgentRevision', { path })).then(reply => {
      if (!stays || !reply.ok) return
      const { config } = reply.body
      setAsked({ revision, config: config.type === 'chat' ? config.chat : config.external })
    })
    return () => {
      stays = false
    }
  }, [isGiven, revision, agent.agentId, store])
  if (isGiven) return agent.config
  return asked?.revision === revision ? asked?.config : undefined
}
