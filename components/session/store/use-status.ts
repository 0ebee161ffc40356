import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import { useNow } from '#components/browser/use-now.ts'
import { type Face, faceOf } from '#components/session/wording/session-status.ts'
import { useSessionContext, useSessionState } from './session-context.ts'
import { useSpeaker } from './use-speaker.ts'
import { useMyRequests, useMyWaits, usePeopleWaits } from './use-waits.ts'

/** Returns the session's status as a shape and a sentence. */
export function useSessionStatus(): Face {
  const { me, may } = useSessionContext()
  const speaker = useSpeaker()
  const transcript = useSessionState(state => state.transcript)
  const deliveries = useSessionState(state => state.deliveries)
  const offline = useSessionState(state => state.connection === 'reconnecting')
  const [first, mine] = [usePeopleWaits()[0], useMyWaits()]
  const now = useNow(transcript.status === 'running' ? 1000 : 15_000)
  return faceOf(transcript, {
    mayAnswer: may.answer && (first === undefined || mine.length > 0),
    approvers: (first && answererPhrase(first)) ?? me.approvers,
    requests: useMyRequests(),
    offline,
    now,
    deliveries,
    system: speaker.displayName
  })
}
