'use client'
import { type CSSProperties, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react'
import { PortalContext, SessionScope, useLocation } from './playground.ts'
import { useStore, useWaystation } from './provider.tsx'
import type { SessionProps } from './types.ts'

type FrameProps = SessionProps & {
  /** The frame is as high as its container. Otherwise, it is as high as its content. */
  fill?: boolean
  children: (shown: { call: string | undefined }) => ReactNode
}

/**
 * A frame in the host page. Waystation's styles apply only inside it, and menus and sheets are rendered
 * inside it too. It provides the session to its children.
 */
export function Frame({ sessionId, agentName, starters, fill = false, children }: FrameProps) {
  const { scopes, me = '', approvers, handlers, theme } = useWaystation()
  const store = useStore(sessionId)
  const [portal, setPortal] = useState<HTMLElement | null>(null)
  const [location, go] = useLocation(undefined, undefined)
  const session = useSyncExternalStore(
    store.subscribe,
    () => store.getState().session,
    () => undefined
  )
  const agent = useMemo(
    () => ({
      agentId: session?.agentId ?? '',
      displayName: agentName ?? session?.agentName ?? 'The agent',
      ...(starters === undefined ? {} : { starters })
    }),
    [session, agentName, starters]
  )
  const may = (scope: 'send' | 'answer') => scopes === undefined || scopes.includes(scope)
  const style: CSSProperties =
    theme === undefined ? {} : { colorScheme: theme === 'system' ? 'light dark' : theme }
  return (
    <div className={fill ? 'waystation waystation-fill' : 'waystation'} style={style}>
      <PortalContext value={portal}>
        <SessionScope
          sessionId={sessionId}
          store={store}
          agent={agent}
          me={{
            name: me,
            may: { send: may('send'), answer: may('answer') },
            ...(approvers === undefined ? {} : { approvers })
          }}
          embedded
          handlers={handlers}
          go={go}
        >
          <div className="waystation-frame">
            <div>{children({ call: location.call })}</div>
          </div>
        </SessionScope>
      </PortalContext>
      <div ref={setPortal} />
    </div>
  )
}
