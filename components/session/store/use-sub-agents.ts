'use client'
import type { SubAgents } from '@waystation/protocol/agent/listed-sub-agent.ts'
import { useEffect, useState } from 'react'
import { useSessionContext, useSessionState } from './session-context.ts'

const none: SubAgents = { subAgents: [], waiting: [] }

/**
 * Returns the session's sub-agents and the pending calls below it. Reloads them when they change, and returns
 * the last known state meanwhile.
 */
export function useSubAgents(): SubAgents {
  const { store } = useSessionContext()
  const news = useSessionState(state => state.transcript.subAgents)
  const [known, setKnown] = useState(none)
  useEffect(() => {
    let isOld = false
    if (news !== undefined && news.all > 0)
      void store.loadSubAgents().then(listed => {
        if (!isOld && listed !== undefined) setKnown(listed)
      })
    return () => {
      isOld = true
    }
  }, [store, news])
  return known
}
