'use client'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { waitingFor, waitsForPerson } from '#lib/protocol/call.ts'
import type { Snapshot } from '#lib/protocol/event.ts'
import type { ClientTool } from '#lib/protocol/session.ts'
import { Announcer } from './announcer.tsx'
import { type ClientHandlers, useClientTools } from './client-tools.ts'
import { Composer } from './composer.tsx'
import { Dock } from './dock.tsx'
import { DockBar } from './dock-bar.tsx'
import { readDraft, writeDraft } from './draft.ts'
import { Empty } from './empty.tsx'
import { faceOf } from './face.ts'
import { FailedBar } from './failed-bar.tsx'
import { Header } from './header.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { TimelineBand } from './inspector/timeline-band.tsx'
import { KeysSheet } from './keys-sheet.tsx'
import { createMark, MarkContext } from './mark.ts'
import { ProblemBar } from './problem-bar.tsx'
import { Queued } from './queued.tsx'
import { rowsOf } from './rows.ts'
import {
  type Me,
  type SessionAgent,
  SessionContext,
  type SessionLocation,
  type SessionUse
} from './session-context.ts'
import { Transcript } from './transcript.tsx'
import { useHeldFocus } from './use-held-focus.ts'
import { useKeys } from './use-keys.ts'
import { useLocation } from './use-location.ts'
import { useNews } from './use-news.ts'
import { useNow } from './use-now.ts'
import { usePageTitle } from './use-page-title.ts'
import { useSession } from './use-session.ts'
import { useWide } from './use-wide.ts'
import { length } from './when.ts'

export type SessionViewProps = {
  sessionId: string
  /** The first snapshot, if the page has it; otherwise it is fetched. */
  initial?: Snapshot
  agent: SessionAgent
  me: Me
  /** The server's origin, if it is not the page's own. */
  baseUrl?: string
  /** What the URL addresses; with `onLocation`, the URL is the page's business. */
  location?: SessionLocation
  onLocation?: (location: SessionLocation) => void
  /** `w`: the next thing that waits for this person, in any session. */
  onNextWaiting?: () => void
  onDeleted?: () => void
  /** The session began or ended to work or to wait, or has another title: whoever lists it may look again. */
  onNews?: () => void
  /** The page has a list of keys of its own, and `?` for it. */
  onKeys?: () => void
  /** The way back to the list, on a small screen. */
  back?: ReactNode
  agentHref?: string
  /** Browser tools that this page answers by itself, and how the agent is told of them. */
  handlers?: ClientHandlers
  clientTools?: readonly ClientTool[]
  /** The dock's own hint, for whoever sees it for the first time. */
  firstRun?: boolean
}

const everything = { send: true, answer: true }
const noHandlers: ClientHandlers = {}
const firstRunHint = 'Try it: stop the server, start it again, reload. This card will be here.'

/** One session, whole: follow it, answer it, look into it. Make it anew (`key`) for another session. */
export function SessionView(props: SessionViewProps) {
  const { sessionId, initial, agent, me, baseUrl = '', agentHref, handlers = noHandlers } = props
  const session = useSession({
    sessionId,
    baseUrl,
    initial,
    clientTools: props.clientTools,
    external: agent.external
  })
  const { transcript, connection, pending, store } = session
  const may = me.may ?? everything
  const [location, go] = useLocation(props.location, props.onLocation)
  const [keys, setKeys] = useState(false)
  const now = useNow(transcript.status === 'running' ? 1000 : 15_000)
  const wide = useWide(800)
  const [mark] = useState(createMark)

  const suggest = useCallback(
    (text: string) => {
      const begun = readDraft<{ text: string }>(sessionId, 'composer')?.text ?? ''
      if (begun.trim() === '') writeDraft(sessionId, 'composer', { text })
      document.querySelector<HTMLElement>('[data-composer]')?.focus()
    },
    [sessionId]
  )
  const mayKey = `${may.send}${may.answer}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `me` is a new object at each render of most pages
  const use = useMemo<SessionUse>(
    () => ({ sessionId, baseUrl, store, agent, me, may, agentHref, go, suggest }),
    [sessionId, baseUrl, store, agent, me.name, me.approvers, mayKey, agentHref, go, suggest]
  )

  const rows = useMemo(
    () => rowsOf(transcript, pending.sends, session.deliveries),
    [transcript, pending.sends, session.deliveries]
  )
  const people = useMemo(
    () => waitingFor(Object.values(transcript.calls)).filter(waitsForPerson),
    [transcript.calls]
  )
  const mine = may.answer ? people : []
  const face = faceOf(transcript, {
    mayAnswer: may.answer,
    approvers: me.approvers,
    offline: connection === 'reconnecting',
    now,
    deliveries: session.deliveries,
    system: agent.external ? agent.displayName : undefined
  })
  useClientTools(store, transcript.calls, handlers, may.answer)
  useNews(`${transcript.status} ${people.length} ${transcript.title}`, props.onNews)
  usePageTitle(transcript.title, mine.length)
  useHeldFocus()

  const band = location.inspect === 'timeline' && location.wide === true
  const inspecting = location.inspect !== undefined && !band
  const toggleInspector = () => go(inspecting ? {} : { inspect: 'events' })
  const toDock = () => document.getElementById('waits')?.focus()
  useKeys({
    '?': () => (props.onKeys === undefined ? setKeys(true) : false),
    w: () => (props.onNextWaiting ?? toDock)(),
    i: toggleInspector,
    t: () => go(band ? {} : { inspect: 'timeline', wide: true }),
    'mod+.': () => transcript.status === 'running' && void store.cancel(),
    Escape: () => (location.inspect === undefined ? false : go({}))
  })
  const parked = people.length > 0 || transcript.status === 'parked'
  const hint =
    session.restarted === undefined
      ? props.firstRun
        ? firstRunHint
        : undefined
      : `The server restarted (${length(session.restarted)}). Nothing was lost.`
  return (
    <SessionContext value={use}>
      <MarkContext value={mark}>
        <div className="relative flex h-full min-h-0 min-w-0 overflow-hidden">
          <div className="relative flex min-w-0 flex-1 flex-col">
            {people.length === 0 ? null : (
              <a
                href="#waits"
                className="absolute top-2 left-2 z-40 -translate-y-16 rounded-sm border bg-panel px-3 py-1 focus:translate-y-0"
              >
                To what waits
              </a>
            )}
            <Header
              face={face}
              title={transcript.title}
              back={props.back}
              inspecting={inspecting}
              onInspect={toggleInspector}
              onStop={() => void store.cancel()}
              onKeys={props.onKeys ?? (() => setKeys(true))}
              onDeleted={props.onDeleted}
            />
            <ProblemBar />
            {band ? <TimelineBand /> : null}
            <Transcript
              rows={rows}
              running={transcript.status === 'running'}
              earlier={session.earlier}
              onEarlier={() => void store.loadEarlier()}
              call={location.call}
              empty={session.loaded ? <Empty /> : null}
            />
            {transcript.status === 'failed' && may.send ? <FailedBar /> : null}
            {wide ? (
              <Dock waiting={people} calls={transcript.calls} hint={hint} />
            ) : (
              <DockBar waiting={people} may={may.answer} hint={hint} />
            )}
            <Queued messages={transcript.messages} />
            <Composer
              busy={transcript.status === 'running' || transcript.retryAt !== undefined}
              parked={parked}
            />
          </div>
          {location.inspect === undefined || band ? null : (
            <Inspector location={location} tab={location.inspect} />
          )}
          <KeysSheet open={keys} onOpenChange={setKeys} />
          <Announcer waiting={mine} />
        </div>
      </MarkContext>
    </SessionContext>
  )
}
