'use client'
import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react'
import {
  CustomWidgetsContext,
  LinkContext,
  noCapabilities,
  onlyTell,
  PortalContext,
  SessionScope,
  useLocation
} from './playground.ts'
import { useStore, useWaystation } from './provider.tsx'
import type { TranscriptProps } from './types.ts'

type FrameProps = TranscriptProps & {
  /** The frame is as high as its container. Otherwise, it is as high as its content. */
  fill?: boolean
  children: (shown: { call: string | undefined }) => ReactNode
}

const noWidgets = {}

/**
 * A frame in the host page. Waystation's styles apply only inside it, and menus and sheets are rendered
 * inside it too. It provides the session to its children.
 */
export function Frame({
  sessionId,
  agentName,
  starters,
  initial,
  className,
  fill = false,
  children
}: FrameProps) {
  const {
    scopes,
    me = '',
    approvers,
    handlers,
    theme,
    widgets = noWidgets,
    link = 'a',
    sessionHref,
    outOfBand = false
  } = useWaystation()
  const store = useStore(sessionId, initial)
  const [portal, setPortal] = useState<HTMLElement | null>(null)
  const [location, go] = useLocation(undefined, undefined)
  const session = useSyncExternalStore(
    store.subscribe,
    () => store.getState().session,
    () => store.getState().session
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
    <div className={clsx('waystation', fill && 'waystation-fill', className)} style={style}>
      <PortalContext.Provider value={portal}>
        <LinkContext.Provider value={link}>
          <CustomWidgetsContext.Provider value={widgets}>
            <SessionScope
              sessionId={sessionId}
              store={store}
              agent={agent}
              me={{
                name: me,
                may: { send: may('send'), answer: may('answer') },
                ...(approvers === undefined ? {} : { approvers })
              }}
              can={outOfBand ? onlyTell : noCapabilities}
              sessionHref={sessionHref}
              handlers={handlers}
              go={go}
            >
              <div className="waystation-frame">
                <div>{children({ call: location.call })}</div>
              </div>
            </SessionScope>
          </CustomWidgetsContext.Provider>
        </LinkContext.Provider>
      </PortalContext.Provider>
      <div ref={setPortal} />
    </div>
  )
}
