/** Spending caps in US dollars. Absent: no cap. Days and months are in UTC. */
export type SpendCaps = { sessionPerDay?: number; subjectPerDay?: number; workspacePerMonth?: number }

/** The spending that a cap limits: of one session or one end user per day, or of the workspace per month. */
export type CapScope = 'session' | 'subject' | 'workspace'

/**
 * The spending cap that a "continue?" call is about, fixed when the call opens. Continuing allows `usd` more for
 * `about`: the session key, the subject, or an empty string for the workspace. `period` is the first day (`YYYY-MM-DD`)
 * of the day or month. `level` counts earlier continuations in this period.
 */
export type CapQuestion = { scope: CapScope; about: string; period: string; level: number; usd: number }
