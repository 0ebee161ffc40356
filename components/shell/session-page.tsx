'use client'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useRef } from 'react'
import { comparePath } from '#components/agents/compare/compare-path.ts'
import { SessionView, type SessionViewProps } from '#components/session/session-view.tsx'
import {
  inspectTabOf,
  type SessionLocation,
  sessionPath,
  sessionSearch
} from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'

type SessionPageProps = Pick<SessionViewProps, 'sessionId' | 'initial' | 'agent' | 'branchedFrom'> & {
  me: WorkspaceUse['me']
  /** For a sub-agent's session: the session that it works for. */
  parent?: Session['parent']
}

const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

/** A session in the shell. The URL contains its location, such as the open inspector tab. */
export function SessionPage({ sessionId, initial, agent, me, parent, branchedFrom }: SessionPageProps) {
  const router = useRouter()
  const path = usePathname()
  const query = useSearchParams()
  const store = useListStore()
  const { begun, showKeys } = useWorkspace()
  const location = locationIn(query)
  const covered = useRef(false)
  const onLocation = (next: SessionLocation) => {
    const [was, opens] = [location.inspect !== undefined, next.inspect !== undefined]
    const address = `${path}${sessionSearch(next)}`
    // On a small screen, the inspector covers the page. It gets a history entry, so that "back" closes it.
    if (!was && opens && matchMedia('(width < 800px)').matches) {
      covered.current = true
      window.history.pushState(null, '', address)
    } else if (was && covered.current && Object.keys(next).length === 0) {
      covered.current = false
      window.history.back()
    } else window.history.replaceState(null, '', address)
  }
  const onDeleted = () => {
    store.forget(sessionId)
    router.push('/sessions')
  }
  // Part of the session's context, so it stays the same function.
  const onBranched = useCallback(
    (made: string) => {
      void store.refresh()
      router.push(sessionPath(made))
    },
    [store, router]
  )
  const isWelcome = sessionId === 'welcome'
  const isFirst = isWelcome && initial?.messages.length === 0
  const onCompare = useCallback(
    (messageId: string) => router.push(comparePath({ sessionId, messageId })),
    [router, sessionId]
  )
  useEffect(() => {
    if (begun.current !== sessionId && !isFirst) return
    begun.current = undefined
    document.querySelector<HTMLElement>('[data-composer]')?.focus()
  }, [begun, sessionId, isFirst])
  const onRead = useCallback(() => {
    if (store.get().rows.some(row => row.id === sessionId && row.unread)) void store.refresh()
  }, [store, sessionId])
  return (
    <SessionView
      sessionId={sessionId}
      initial={initial}
      agent={agent}
      me={{
        name: me.name,
        id: me.id,
        role: me.role,
        may: { send: me.maySend, answer: me.mayAnswer, edit: me.mayEdit },
        approvers: 'an operator of this workspace'
      }}
      location={location}
      onLocation={onLocation}
      onDeleted={onDeleted}
      onBranched={onBranched}
      onCompare={onCompare}
      branchedFrom={branchedFrom}
      onNews={() => void store.refresh()}
      onRead={onRead}
      onKeys={showKeys}
      onRevision={router.refresh}
      agentHref={`/agents/${agent.agentId}`}
      firstRun={isWelcome}
      intro={me.mayOwn ? <FirstSteps guide={isWelcome} /> : undefined}
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

function locationIn(query: URLSearchParams): SessionLocation {
  const numberIn = (name: string) => {
    const value = query.get(name) ?? ''
    return /^\d+$/.test(value) ? Number(value) : undefined
  }
  return {
    inspect: inspectTabOf(query.get('inspect')),
    seq: numberIn('seq'),
    call: query.get('call') || undefined,
    oob: query.get('oob') || undefined,
    prompt: numberIn('prompt'),
    wide: query.get('wide') === 'true' || undefined
  }
}
