/** The most that may be spent, in US dollars; what is absent has no cap. Days and months are UTC's. */
export type SpendCaps = { sessionPerDay?: number; subjectPerDay?: number; workspacePerMonth?: number }

/** Whose spending a cap counts: one session's or one end user's in a day, the whole workspace's in a month. */
export type CapScope = 'session' | 'subject' | 'workspace'

/**
 * What a "continue?" about a cap freezes: continuing allows `usd` more to `about` (the session's key, the subject, or
 * nothing for the workspace) for the day or month that begins at `period` (`YYYY-MM-DD`). `level`: how often that had been
 * said by then.
 */
export type AskedCap = { scope: CapScope; about: string; period: string; level: number; usd: number }
