'use client'
import Link from 'next/link'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo } from 'react'
import type { InspectTab, SessionLocation } from '#components/session/session-context.ts'
import { SessionView, type SessionViewProps } from '#components/session/session-view.tsx'
import { useListStore } from './list-context.ts'
import { type ShellUse, useShell } from './shell-context.ts'

type SessionPageProps = Pick<SessionViewProps, 'sessionId' | 'initial' | 'agent'> & { me: ShellUse['me'] }

/** A session in the shell: what it shows is in the address, and its ways out lead into the list. */
export function SessionPage({ sessionId, initial, agent, me }: SessionPageProps) {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const store = useListStore()
  const { nextWaiting, begun, showKeys } = useShell()
  const location = useMemo(() => locationIn(query), [query])
  const onLocation = useCallback(
    (next: SessionLocation) => window.history.replaceState(null, '', `${path}${searchOf(next)}`),
    [path]
  )
  const onDeleted = useCallback(() => {
    store.forget(sessionId)
    router.push('/sessions')
  }, [store, sessionId, router])
  useEffect(() => {
    if (begun.current !== sessionId) return
    begun.current = undefined
    document.querySelector<HTMLElement>('[data-composer]')?.focus()
  }, [begun, sessionId])
  return (
    <SessionView
      sessionId={sessionId}
      {...(initial === undefined ? {} : { initial })}
      agent={agent}
      me={{
        name: me.name,
        may: { send: me.maySend, answer: me.mayAnswer },
        approvers: 'an operator of this workspace'
      }}
      location={location}
      onLocation={onLocation}
      onNextWaiting={nextWaiting}
      onDeleted={onDeleted}
      onKeys={showKeys}
      agentHref={`/agents/${agent.agentId}`}
      firstRun={sessionId === 'welcome'}
      back={
        <Link href="/sessions" className="tap inline-flex items-center text-muted">
          ‹ Sessions
        </Link>
      }
    />
  )
}

const tabs: readonly string[] = ['events', 'calls', 'config'] satisfies InspectTab[]

function locationIn(query: URLSearchParams): SessionLocation {
  const [inspect, seq, call] = ['inspect', 'seq', 'call'].map(name => query.get(name))
  return {
    ...(inspect && tabs.includes(inspect) ? { inspect: inspect as InspectTab } : {}),
    ...(seq && /^\d+$/.test(seq) ? { seq: Number(seq) } : {}),
    ...(call ? { call } : {})
  }
}

function searchOf(location: SessionLocation): string {
  const query = new URLSearchParams(Object.entries(location).map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? '' : `?${query}`
}
