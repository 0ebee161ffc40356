'use client'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { SessionView, type SessionViewProps } from '#components/session/session-view.tsx'
import {
  type InspectTab,
  inspectTabs,
  type SessionLocation,
  sessionPath,
  sessionSearch
} from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Link } from '#components/workspace/link.tsx'
import { useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'

type SessionPageProps = Pick<SessionViewProps, 'sessionId' | 'initial' | 'agent' | 'branchedFrom'> & {
  me: WorkspaceUse['me']
  /** For a sub-agent's session: the session that it works for. */
  parent?: Session['parent']
}

/** A session in the shell. The URL contains its location, such as the open inspector tab. */
export function SessionPage({ sessionId, initial, agent, me, parent, branchedFrom }: SessionPageProps) {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const store = useListStore()
  const { begun, showKeys } = useWorkspace()
  const location = useMemo(() => locationIn(query), [query])
  const inspecting = useRef(false)
  inspecting.current = location.inspect !== undefined
  const covered = useRef(false)
  const onLocation = useCallback(
    (next: SessionLocation) => {
      const [was, opens] = [inspecting.current, next.inspect !== undefined]
      const address = `${path}${sessionSearch(next)}`
      // On a small screen, the inspector covers the page. It gets a history entry, so that "back" closes it.
      if (!was && opens && matchMedia('(width < 800px)').matches) {
        covered.current = true
        window.history.pushState(null, '', address)
      } else if (was && covered.current && Object.keys(next).length === 0) {
        covered.current = false
        window.history.back()
      } else window.history.replaceState(null, '', address)
    },
    [path]
  )
  const onDeleted = useCallback(() => {
    store.forget(sessionId)
    router.push('/sessions')
  }, [store, sessionId, router])
  const onBranched = useCallback(
    (made: string) => {
      void store.refresh()
      router.push(sessionPath(made))
    },
    [store, router]
  )
  const onRevision = useCallback(() => router.refresh(), [router])
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
        ...(me.id === undefined ? {} : { id: me.id, role: me.role }),
        may: { send: me.maySend, answer: me.mayAnswer, edit: me.mayEdit },
        approvers: 'an operator of this workspace'
      }}
      location={location}
      onLocation={onLocation}
      onDeleted={onDeleted}
      onBranched={onBranched}
      branchedFrom={branchedFrom}
      onNews={() => void store.refresh()}
      onKeys={showKeys}
      onRevision={onRevision}
      agentHref={`/agents/${agent.agentId}`}
      firstRun={sessionId === 'welcome'}
      above={
        parent === undefined ? undefined : (
          <Link
            data-hook="open-parent"
            href={sessionPath(parent.id, { call: parent.toolCallId })}
            className="tap inline-flex max-w-full items-center text-muted"
          >
            <span className="truncate">‹ {sessionTitle(parent.title, parent.id)}</span>
          </Link>
        )
      }
      back={
        <Link href="/sessions" className="tap inline-flex items-center text-muted">
          ‹ Sessions
        </Link>
      }
    />
  )
}

const isTab = (name: string): name is InspectTab => (inspectTabs as readonly string[]).includes(name)

function locationIn(query: URLSearchParams): SessionLocation {
  const [inspect, seq, call, oob, prompt, wide] = ['inspect', 'seq', 'call', 'oob', 'prompt', 'wide'].map(
    name => query.get(name)
  )
  return {
    ...(inspect && isTab(inspect) ? { inspect } : {}),
    ...(seq && /^\d+$/.test(seq) ? { seq: Number(seq) } : {}),
    ...(call ? { call } : {}),
    ...(oob ? { oob } : {}),
    ...(prompt && /^\d+$/.test(prompt) ? { prompt: Number(prompt) } : {}),
    ...(wide === 'true' ? { wide: true as const } : {})
  }
}
