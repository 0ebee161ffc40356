'use client'
import { useSessionState } from './session-context.ts'

/** Whether something is laid over this session's agent, which is the build kit where a playground did it (002-8). */
export const useOverlaid = (): boolean => useSessionState(({ transcript }) => transcript.overlaid === true)
