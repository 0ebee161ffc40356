import type { Snapshot } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { useHeldFocus } from '#components/browser/use-held-focus.ts'
import { useWide } from '#components/browser/use-media.ts'
import { memberParts } from '#components/session/cards/member-parts.ts'
import { WaitingDock } from '#components/session/cards/waiting-dock.tsx'
import { ComposerArea } from '#components/session/composer/composer-area.tsx'
import { FailedBar } from '#components/session/composer/failed-bar.tsx'
import { AgentChip } from '#components/session/header/agent-chip.tsx'
import { ContextMeter } from '#components/session/header/context-meter.tsx'
import { Header } from '#components/session/header/header.tsx'
import { KitChip } from '#components/session/header/kit-chip.tsx'
import { ProblemBar } from '#components/session/header/problem-bar.tsx'
import { useReading } from '#components/session/header/read-aloud.ts'
import { SessionMenu } from '#components/session/header/session-menu.tsx'
import { usePageTitle } from '#components/session/header/use-page-title.ts'
import {
  type Me,
  type SessionAgent,
  useSessionContext,
  useSessionState
} from '#components/session/store/session-context.ts'
import { SessionScope } from '#components/session/store/session-scope.tsx'
import { createSessionStore } from '#components/session/store/session-store.ts'
import { useLocation } from '#components/session/store/use-location.ts'
import { useMarkRead } from '#components/session/store/use-mark-read.ts'
import { useRevision } from '#components/session/store/use-revision.ts'
import { useMyRequests, usePeopleWaits } from '#components/session/store/use-waits.ts'
import { Log } from '#components/session/transcript/log.tsx'
import { restartedWords } from '#components/session/wording/restarted-words.ts'
import { type SessionLocation, sessionPath } from '#components/session/wording/session-path.ts'
import { canStop } from '#components/session/wording/session-status.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { IconButton } from '#components/ui/button.tsx'
import { InspectorIcon } from '#components/ui/icons.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { CallChanges } from './content/wiki-change.tsx'

export type SessionViewProps = {
  sessionId: string
  /** The first snapshot. If absent, the view fetches it. */
  initial?: Snapshot
  agent: SessionAgent
  me: Me
  /** The part of the session that the URL names. With `onLocation`, the page stores the location. */
  location?: SessionLocation
  onLocation?: (location: SessionLocation) => void
  onDeleted?: () => void
  /** Receives the ID of a new session that was branched from this one. */
  onBranched?: (sessionId: string) => void
  /** Compares the turn of a message with other revisions of the agent. */
  onCompare?: (messageId: string) => void
  /** The session that this one was branched from, if the page knows it. */
  branchedFrom?: Session['branchedFrom']
  /** The status, title or number of waiting items changed, so a list that shows the session can reload. */
  onNews?: () => void
  /** The user has read the newest message, and the server knows. */
  onRead?: () => void
  /** The session runs on another revision than the one that the page was rendered with (002-16). */
  onRevision?: (revision: number) => void
  /** Shows the keyboard shortcuts. The page binds the key `?` to it. */
  onKeys: () => void
  /** A link back to the list, shown on small screens. */
  back?: ReactNode
  /** For the session of a sub-agent: a link to the parent session. */
  above?: ReactNode
  agentHref?: string
  /** Shown above the transcript. */
  intro?: ReactNode
  /** Shows the dock's hint for first-time users. */
  firstRun?: boolean
}

// Most visits to a session do not open these.
const Inspector = lazyPart(async () => (await import('./inspector/inspector.tsx')).Inspector)
const ActiveItem = lazyPart(async () => (await import('./composer/active-item.tsx')).ActiveItemBar)
const Inserts = lazyPart(async () => (await import('./composer/inserts.tsx')).Inserts)
const ResultView = lazyPart(async () => (await import('./content/result/result-view.tsx')).ResultView)
const TurnNavigator = lazyPart(async () => (await import('./transcript/turn-navigator.tsx')).TurnNavigator)
const TraceBand = lazyPart(async () => (await import('./inspector/trace/trace-band.tsx')).TraceBand)

const firstRunHint = 'Try it: kill the server. This card will still be here.'

/**
 * A complete session: transcript, pending calls, composer and inspector. To show another session, change the
 * `key`, so that React creates a new view.
 */
export function SessionView(props: SessionViewProps) {
  const { sessionId, initial } = props
  const [store] = useState(() => createSessionStore({ sessionId, initial, client }))
  useEffect(() => store.start(), [store])
  const [location, go] = useLocation(props.location, props.onLocation)
  return (
    <SessionScope
      sessionId={sessionId}
      store={store}
      agent={props.agent}
      me={props.me}
      agentHref={props.agentHref}
      sessionHref={sessionPath}
      onBranched={props.onBranched}
      onCompare={props.onCompare}
      branchedFrom={props.branchedFrom}
      CallChanges={CallChanges}
      ShownValue={ResultView}
      memberParts={memberParts}
      go={go}
    >
      <SessionLayout {...props} location={location} />
    </SessionScope>
  )
}

/** Returns the numbers of pending and of held out-of-band messages, which the session list also shows. */
const waitingBeside = ({ outOfBand }: Transcript) =>
  ['visible', 'held']
    .map(status => Object.values(outOfBand).filter(told => told.status === status).length)
    .join(' ')

/** The parts of a session in the layout of the playground, with its keyboard shortcuts. */
function SessionLayout({
  location,
  back,
  above,
  intro,
  firstRun,
  onDeleted,
  onKeys,
  onNews,
  onRead,
  onRevision
}: SessionViewProps & { location: SessionLocation }) {
  const { sessionId, store, agent, may, go } = useSessionContext()
  const { revision } = useRevision()
  useEffect(() => {
    if (revision !== undefined && agent.revision !== undefined && revision !== agent.revision)
      onRevision?.(revision)
  }, [revision, agent.revision, onRevision])
  const status = useSessionState(state => state.transcript.status)
  const title = useSessionState(state => state.transcript.title)
  const agentStatus = useSessionState(state => state.transcript.agentStatus)
  const transcript = () => store.getState().transcript
  const restarted = useSessionState(state => state.restarted)
  const beside = useSessionState(state => waitingBeside(state.transcript))
  const people = usePeopleWaits()
  useEffectOnChange([status, people.length, title, beside, agentStatus], onNews)
  usePageTitle(sessionTitle(title, sessionId), useMyRequests())
  useHeldFocus()
  useReading()
  useMarkRead(onRead)

  const band = location.inspect === 'trace' && location.wide === true
  const inspecting = location.inspect !== undefined && !band
  const toggleInspector = () => go(inspecting ? {} : { inspect: 'trace' })
  useHotkeys('Session', [
    { keys: 'i', label: 'Open or close the inspector', run: toggleInspector },
    {
      keys: 't',
      label: 'Open or close the trace at full width',
      run: () => go(band ? {} : { inspect: 'trace', wide: true })
    },
    ...(may.send
      ? [
          {
            keys: 'mod+.',
            label: 'Stop the agent',
            run: () => canStop(transcript()) && void store.cancel()
          }
        ]
      : []),
    {
      keys: 'Escape',
      label: 'Close the inspector; never stops or declines',
      run: () => (location.inspect === undefined ? false : go({}))
    }
  ])
  // On a phone, the message field needs the space.
  const wide = useWide()
  const meter = agent.external ? null : <ContextMeter />
  const restart = restarted === undefined ? undefined : restartedWords(restarted)
  return (
    <div className="relative flex h-full min-h-0 min-w-0 overflow-hidden">
      <div data-drop className="relative flex min-w-0 flex-1 flex-col">
        {people.length === 0 ? null : (
          <a
            href="#waits"
            className="absolute top-2 left-2 z-40 -translate-y-16 rounded-sm border bg-panel px-3 py-1 focus:translate-y-0"
          >
            Skip to pending requests
          </a>
        )}
        <Header
          title={title}
          back={above ?? back}
          above={above}
          tools={
            <>
              <KitChip />
              {wide ? null : meter}
              <IconButton
                data-hook="toggle-inspector"
                label="Inspector"
                aria-pressed={inspecting}
                onClick={toggleInspector}
              >
                <InspectorIcon />
              </IconButton>
              <SessionMenu onKeys={onKeys} onDeleted={onDeleted} />
            </>
          }
        />
        <ProblemBar />
        {band ? (
          <div className="min-h-0 flex-1 bg-panel">
            <TraceBand location={location} />
          </div>
        ) : (
          <>
            {intro}
            <Log target={location.call ?? location.oob} navigator={<TurnNavigator />} />
          </>
        )}
        <FailedBar />
        <WaitingDock hint={restart ?? (firstRun ? firstRunHint : undefined)} />
        <ComposerArea
          chips={<AgentChip />}
          meter={wide ? meter : null}
          Inserts={Inserts}
          ActiveItem={ActiveItem}
        />
      </div>
      {location.inspect === undefined || band ? null : (
        <Inspector location={location} tab={location.inspect} />
      )}
    </div>
  )
}
