'use client'
import { type CSSProperties, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react'
import { PortalContext, SessionScope, useLocation } from './playground.ts'
import { useStore, useWaystation } from './provider.tsx'
import type { SessionProps } from './types.ts'

type FrameProps = SessionProps & {
  /** As high as the room it stands in; otherwise as high as what is in it. */
  fill?: boolean
  children: (shown: { call: string | undefined }) => ReactNode
}

/**
 * A place in a foreign page: our styles hold inside of it and nowhere else, and what lies over the page (menus, sheets)
 * is put inside as well. What stands in it has its session around it.
 */
export function Frame({ sessionId, agentName, starters, fill = false, children }: FrameProps) {
  const { client, scopes, me = '', approvers, handlers, theme } = useWaystation()
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
          baseUrl={client.url}
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
