import { useSessionState } from './session-context.ts'

/** Tells whether this session's agent has the build kit (002-8). */
export const useKit = (): boolean => useSessionState(({ transcript }) => transcript.buildKit === true)
