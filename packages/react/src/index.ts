import type { SessionView } from '@waystation/client'
import type { ReactNode } from 'react'
import { Call as CallPart, Composer as ComposerPart, Transcript as TranscriptPart } from './parts.tsx'
import { WaystationProvider as Provider } from './provider.tsx'
import { Session as SessionPart } from './session.tsx'
import type {
  CallProps,
  OfSession,
  SessionProps,
  TranscriptProps,
  UseCall,
  UseSession,
  UseWaiting,
  WaystationProviderProps
} from './types.ts'
import { useCall as followCall } from './use-call.ts'
import { useSession as followSession } from './use-session.ts'
import { useWaiting as followWaiting } from './use-waiting.ts'

export type * from './types.ts'

/** Provides the client and the current user to all components and hooks inside it. */
export const WaystationProvider: (props: WaystationProviderProps) => ReactNode = Provider
/**
 * The complete session: status, transcript, pending calls and message field. It is as high as its container,
 * so give the container a height.
 */
export const Session: (props: SessionProps) => ReactNode = SessionPart
/**
 * The messages, tool calls and pending calls of a session, in their order. It is as high as its container, so
 * give the container a height.
 */
export const Transcript: (props: TranscriptProps) => ReactNode = TranscriptPart
/** The message field of a session, with attachments, and with queued messages above it. */
export const Composer: (props: OfSession) => ReactNode = ComposerPart
/** The card of one call, with the widget that answers it. After that, it shows who settled the call. */
export const Call: (props: CallProps) => ReactNode = CallPart
/**
 * Returns the data and functions of one session, for a user interface of your own. Components and hooks for
 * the same session share one connection.
 */
export const useSession: (sessionId: string, options?: { initial?: SessionView }) => UseSession =
  followSession
/** Returns one call of a session, and the function that answers it, for a card of your own anywhere in the page. */
export const useCall: (sessionId: string, toolCallId: string) => UseCall = followCall
/**
 * Returns pending calls. With a session token, they are those of the sessions that this page follows. With an
 * API key or a cookie, the hook requests those of the workspace every 3 s while the page is visible.
 */
export const useWaiting: () => UseWaiting = followWaiting
