'use client'
import { Frame } from './frame.tsx'
import {
  CallCard,
  ComposerArea,
  FailedBar,
  Log,
  ProblemBar,
  useNow,
  useSessionContext,
  useSessionState,
  winnerWords
} from './playground.ts'
import type { CallProps, OfSession, TranscriptProps } from './types.ts'

/** The messages, tool calls and pending calls of a session, in their order. */
export const Transcript = (props: TranscriptProps) => (
  <Frame key={props.sessionId} {...props} fill>
    {({ call }) => (
      <div className="flex h-full min-h-0 min-w-0 flex-col overflow-hidden">
        <ProblemBar />
        <Log target={call} />
      </div>
    )}
  </Frame>
)

/** The message field, with queued messages above it. */
export const Composer = (props: OfSession) => (
  <Frame key={props.sessionId} {...props}>
    {() => (
      <>
        <FailedBar />
        <ComposerArea />
      </>
    )}
  </Frame>
)

/** The card of one call, with the widget that answers it. After that, it shows who settled the call. */
export const Call = ({ toolCallId, ...props }: CallProps) => (
  <Frame key={props.sessionId} {...props}>
    {() => <Card toolCallId={toolCallId} />}
  </Frame>
)

function Card({ toolCallId }: { toolCallId: string }) {
  const { me } = useSessionContext()
  const call = useSessionState(state => state.transcript.calls[toolCallId])
  const now = useNow()
  if (call === undefined) return null
  if (call.state === 'open') return <CallCard call={call} place="inline" />
  const { state, answeredBy, settledAt: at } = call
  return <p role="status">{winnerWords({ state, answeredBy, at }, now, me.name)}</p>
}
