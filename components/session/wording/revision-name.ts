/** Returns how a revision is shown. A number below zero is a snapshot of a draft, which has no number for people. */
export const revisionName = (revision: number): string => (revision < 0 ? 'draft' : String(revision))
