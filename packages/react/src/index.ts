import type { ReactNode } from 'react'
import { Call as CallPart, Composer as ComposerPart, Transcript as TranscriptPart } from './parts.tsx'
import { WaystationProvider as Provider } from './provider.tsx'
import { Session as SessionPart } from './session.tsx'
import type {
  CallProps,
  OfSession,
  SessionProps,
  UseSession,
  UseWaiting,
  WaystationProviderProps
} from './types.ts'
import { useSession as followSession } from './use-session.ts'
import { useWaiting as followWaiting } from './use-waiting.ts'

export type * from './types.ts'

/** Says with which client, and for whom, everything inside talks to Waystation. */
export const WaystationProvider: (props: WaystationProviderProps) => ReactNode = Provider
/** Everything about one session. As high as the room it is given. */
export const Session: (props: SessionProps) => ReactNode = SessionPart
/** What was said and done in a session, and what waits, each at its place. As high as the room it is given. */
export const Transcript: (props: SessionProps) => ReactNode = TranscriptPart
/** Where a person writes. */
export const Composer: (props: OfSession) => ReactNode = ComposerPart
/** One call: the card and widget that answer it; once it is settled, by whom. */
export const Call: (props: CallProps) => ReactNode = CallPart
/** One session without a face: for an interface of your own. Parts that show the same session share its connection. */
export const useSession: (sessionId: string) => UseSession = followSession
/** What waits for somebody. */
export const useWaiting: () => UseWaiting = followWaiting
