/** Returns the path of a session's page in the playground. */
export const sessionPath = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`
