/**
 * Returns the title of a session. Without a title, an ID that a client chose is shown instead. A generated ID would tell
 * the user nothing.
 */
export const sessionTitle = (title: string, sessionId: string): string =>
  title || (/^s_[0-9a-z]{20}$/.test(sessionId) ? 'New session' : sessionId)
