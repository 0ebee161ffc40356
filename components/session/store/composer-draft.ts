import { readDraft, writeDraft } from '#components/browser/drafts.ts'
import type { Telling } from './outbox.ts'

/** The draft in the message field. With `tell`, it becomes an out-of-band message. */
export type ComposerDraft = { text: string; tell?: Telling | undefined }

export const emptyDraft: ComposerDraft = { text: '' }

/** Changes the draft of a session and moves the focus to the message field. */
export function draftMessage(sessionId: string, change: (draft: ComposerDraft) => ComposerDraft): void {
  writeDraft(sessionId, 'composer', change(readDraft<ComposerDraft>(sessionId, 'composer') ?? emptyDraft))
  document.querySelector<HTMLElement>(`[data-composer="${CSS.escape(sessionId)}"]`)?.focus()
}

/** Prepares an out-of-band message about a message, out-of-band message or call. A draft's text stays. */
export const tellAbout = (sessionId: string, about: Omit<Telling, 'priority'>): void =>
  draftMessage(sessionId, ({ text }) => ({ text, tell: { priority: 'normal', ...about } }))
