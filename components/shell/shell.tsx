'use client'
import type { SessionPage } from '@waystation/protocol/session/listed-session.ts'
import type { ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { QueriesProvider } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { CustomWidgetsContext } from '#components/session/cards/widgets/custom-widgets.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { LinkContext } from '#components/ui/link.tsx'
import { Link } from '#components/workspace/link.tsx'
import { ListContext } from '#components/workspace/list-context.ts'
import { createListStore } from '#components/workspace/list-store.ts'
import { arranged, type Filter } from '#components/workspace/listed.ts'
import { WorkspaceContext, type WorkspaceUse } from '#components/workspace/workspace-context.ts'
import { customWidgets } from './custom-widgets.ts'
import { enterSession } from './enter-session.ts'
import { HotkeysDialog } from './hotkeys-dialog.tsx'
import { NewSession } from './new-session.tsx'
import { useBackgroundNotices } from './notices.ts'
import { Palette } from './palette.tsx'
import { places, settings } from './places.tsx'
import { Sidebar } from './sidebar.tsx'
import { SkipLink } from './skip-link.tsx'

type ShellProps = Pick<WorkspaceUse, 'me' | 'agents' | 'views'> & {
  workspaces: readonly ListedWorkspace[]
  /** Ends the sign-in of the user. */
  leave: () => Promise<void>
  first: { page: SessionPage; waiting: number }
  children: ReactNode
}

/**
 * The frame of every page: the list on the left, and the page beside it. Below 800 px, only one of them is
 * visible: the list on `/sessions`, otherwise the page.
 */
export function Shell({ me, agents, views, workspaces, leave, first, children }: ShellProps) {
  const router = useRouter()
  const path = usePathname()
  const [store] = useState(() =>
    createListStore({ waiting: client.waiting, sessions: client.sessions.list }, first)
  )
  const [open, setOpen] = useState<'palette' | 'keys' | 'new' | null>(null)
  /** The agent and the text of the dialog that starts a session. */
  const [wish, setWish] = useState<{ agentId?: string | undefined; text?: string | undefined }>({})
  const begun = useRef<string>(undefined)
  useEffect(() => store.start(), [store])
  useEffect(() => {
    let known = store.get().agentsVersion
    // An agent was created, published or drafted, so the pages that the server rendered are out of date.
    return store.subscribe(() => {
      const { agentsVersion } = store.get()
      if (agentsVersion === known) return
      known = agentsVersion
      router.refresh()
    })
  }, [store, router])

  const openSession = useCallback((id: string) => router.push(sessionPath(id)), [router])
  useBackgroundNotices(store, me.mayAnswer, openSession)

  /** Opens the next or the previous session of those that the list shows with this filter. */
  const step = useCallback(
    (by: 1 | -1, filter: Filter) => {
      const { pinned, rest } = arranged(store.get().rows, filter, me)
      const among = [...pinned, ...rest]
      const at = among.findIndex(session => sessionPath(session.id) === path)
      const next =
        at < 0 ? among[by > 0 ? 0 : among.length - 1] : among[(at + by + among.length) % among.length]
      if (next !== undefined) openSession(next.id)
    },
    [store, me, path, openSession]
  )
  const isStarting = useRef(false)
  /** Starts a session with this agent, or with the only one. Asks for what is missing: the agent, or a shared ID. */
  const start = useCallback(
    async (wanted?: string, text?: string) => {
      const agent = agents.find(({ agentId }) => agentId === wanted || agents.length === 1)
      if (isStarting.current) return
      isStarting.current = true
      const reply =
        agent === undefined || agent.external
          ? undefined
          : await replyTo(
              client.sessions.create({
                agentId: agent.agentId,
                buildKit: (me.mayEdit && agent.buildKit) || undefined
              })
            )
      isStarting.current = false
      if (reply?.ok) return enterSession({ begun, store, go: router.push, text }, reply.body)
      // The dialog shows why the server refuses the session when the user tries again.
      setWish({ agentId: wanted, text })
      setOpen('new')
    },
    [agents, me, store, router]
  )
  const use = useMemo<WorkspaceUse>(
    () => ({
      me,
      agents,
      views,
      begun,
      newSession: start,
      showKeys: () => setOpen('keys'),
      find: () => setOpen('palette'),
      nextWaiting: () => step(1, 'you')
    }),
    [me, agents, views, step, start]
  )
  useHotkeys('Every page', [
    {
      keys: 'mod+k',
      label: 'Find a session, agent or action',
      run: () => setOpen('palette'),
      inDialogs: true
    },
    ...(me.maySend ? [{ keys: 'n', label: 'Start a session', run: () => use.newSession() }] : []),
    { keys: 'w', label: 'Go to the next pending request, in any session', run: use.nextWaiting },
    { keys: 'alt+ArrowUp', label: 'Go to the previous session', run: () => step(-1, store.get().filter) },
    { keys: 'alt+ArrowDown', label: 'Go to the next session', run: () => step(1, store.get().filter) },
    { keys: '?', label: 'Show this list', run: use.showKeys }
  ])
  useHotkeys(
    'Go to',
    [...places, settings].map(({ keys, label, href }) => ({ keys, label, run: () => router.push(href) }))
  )

  const close = () => setOpen(null)
  const onList = path === '/sessions'
  return (
    <QueriesProvider>
      <WorkspaceContext value={use}>
        <ListContext value={store}>
          <LinkContext value={Link}>
            <CustomWidgetsContext value={customWidgets}>
              <SkipLink />
              <div className="grid h-dvh grid-cols-1 mid:grid-cols-[264px_minmax(0,1fr)]">
                <div className={`min-h-0 bg-panel mid:border-r ${onList ? '' : 'hidden mid:block'}`}>
                  <Sidebar workspaces={workspaces} leave={leave} />
                </div>
                <main
                  id="main"
                  tabIndex={-1}
                  className={`min-h-0 min-w-0 outline-none ${onList ? 'max-mid:sr-only' : ''}`}
                >
                  {children}
                </main>
              </div>
              {open === 'new' ? <NewSession {...wish} close={close} /> : null}
              {open === 'palette' ? <Palette close={close} /> : null}
              {open === 'keys' ? <HotkeysDialog close={close} /> : null}
            </CustomWidgetsContext>
          </LinkContext>
        </ListContext>
      </WorkspaceContext>
    </QueriesProvider>
  )
}
