import type { ReactNode } from 'react'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useAgentName } from '#components/session/store/use-agent-name.ts'
import { useOverlaid } from '#components/session/store/use-overlaid.ts'
import { useRevision } from '#components/session/store/use-revision.ts'
import { useSessionStatus } from '#components/session/store/use-status.ts'
import { canStop } from '#components/session/wording/session-status.ts'
import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/ui/link.tsx'
import { Title } from './title.tsx'

type HeaderProps = {
  title: string
  back?: ReactNode
  /** For the session of a sub-agent: a link to the parent session, shown on large screens. */
  above?: ReactNode
  /** Further actions, at the right end. */
  tools?: ReactNode
}

const tones = {
  parked: 'text-you',
  both: 'text-you',
  'not-mine': 'text-you',
  'parked-other': 'text-other',
  failed: 'text-fail'
}

/** The title and agent of the session, and a sentence about its status. */
export function Header({ title, back, above, tools }: HeaderProps) {
  const { agentHref, can, may, store } = useSessionContext()
  const face = useSessionStatus()
  const stoppable = useSessionState(state => canStop(state.transcript))
  const { revision, pinned } = useRevision()
  const overlaid = useOverlaid()
  const name = useAgentName()
  return (
    <header className="@container grid shrink-0 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2 border-b px-5 py-1 mid:flex mid:h-12 mid:gap-4 mid:px-4 mid:py-0">
      <div className="mid:hidden">{back}</div>
      {above === undefined ? null : (
        <div className="hidden max-w-48 shrink-0 truncate mid:block">{above}</div>
      )}
      {/* Title and agent get the space that the status leaves. */}
      <div className="min-w-0 mid:max-w-max mid:min-w-[6ch] mid:flex-[3]">
        <Title title={title} />
      </div>
      <span
        data-hook="agent-name"
        data-revision={revision}
        data-pinned={pinned || undefined}
        data-overlaid={overlaid || undefined}
        className="hidden max-w-max min-w-0 flex-1 truncate font-mono text-mono text-muted @min-[640px]:block"
      >
        {agentHref === undefined ? (
          name
        ) : (
          <Link href={agentHref} className="no-underline hover:text-ink hover:underline">
            {name}
          </Link>
        )}
      </span>
      <p
        data-face={face.kind}
        className={`col-span-3 col-start-1 row-start-2 flex min-w-0 items-center gap-2 pb-1 mid:pb-0 ${tones[face.kind as keyof typeof tones] ?? 'text-muted'}`}
      >
        {face.kind === 'empty' ? null : <StateGlyph kind={face.kind} />}
        <span className="truncate tabular-nums" title={face.sentence}>
          {face.sentence}
        </span>
      </p>
      <div className="col-start-3 row-start-1 ml-auto flex shrink-0 items-center gap-1">
        {stoppable && face.kind !== 'reconnecting' && may.send ? (
          <Button
            data-hook="stop-turn"
            onClick={() => void store.cancel()}
            title={can.ownsPage ? '⌘. or Ctrl+.' : undefined}
          >
            Stop
          </Button>
        ) : null}
        {tools}
      </div>
    </header>
  )
}
