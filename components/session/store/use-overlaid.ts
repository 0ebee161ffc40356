import { useSessionState } from './session-context.ts'

/** Tells whether this session's agent has an overlay (002-8), for example the build kit. */
export const useOverlaid = (): boolean => useSessionState(({ transcript }) => transcript.overlaid === true)
