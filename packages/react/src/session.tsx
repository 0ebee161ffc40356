'use client'
import { Frame } from './frame.tsx'
import {
  ComposerArea,
  FailedBar,
  Header,
  Log,
  ProblemBar,
  useSessionState,
  WaitingDock
} from './playground.ts'
import type { SessionProps } from './types.ts'

/** The complete session in one column: status, transcript, pending calls and message field. */
export function Session({ slots = {}, ...props }: SessionProps) {
  const { header = <Head />, waiting = <WaitingDock />, composer = <ComposerArea />, empty } = slots
  return (
    <Frame key={props.sessionId} {...props} fill>
      {({ call }) => (
        <div data-drop className="relative flex h-full min-h-0 min-w-0 flex-col overflow-hidden">
          {header}
          <ProblemBar />
          <Log target={call} empty={empty} />
          <FailedBar />
          {waiting}
          {composer}
        </div>
      )}
    </Frame>
  )
}

const Head = () => <Header title={useSessionState(state => state.transcript.title)} />
