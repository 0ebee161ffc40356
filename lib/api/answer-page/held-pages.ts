import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { left } from '#components/browser/format-time.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import type { PageSession } from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { type Html, html, visible } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'
import { type Fate, fateNote, moment, sessionLink } from './pages.ts'

/** A held out-of-band message and its session. */
export type HeldRequest = { message: OutOfBand; session: PageSession }

/** Renders the page of a message: the form while it is held, and the outcome afterwards. `error` is about the form. */
export function heldPage(request: HeldRequest, now: number, error?: string): string {
  const { message, session } = request
  const { status, expiresAt } = message
  const isOverdue = expiresAt !== undefined && Date.parse(expiresAt) <= now
  if (status !== 'held' || isOverdue) return heldOutcomePage(request)
  return htmlPage(
    'you',
    visible(`Out-of-band message from ${fromWords(message)}`),
    html`<p>The agent receives this message only if you approve it.</p>
${about(request, now)}
${content(message)}
${error && html`<p class="fail" role="alert">${error}</p>`}
<form method="post"><div class="buttons"><button class="primary" name="do" value="yes">Approve message</button><button name="do" value="no">Remove message</button></div></form>
${sessionLink(session)}`
  )
}

/** Renders what became of a message. `fate` says whether the reader's own answer caused it. */
export function heldOutcomePage(request: HeldRequest, fate?: Fate): string {
  const { message, session } = request
  const { state, words, by, at } = outcomeOf(message)
  return htmlPage(
    'plain',
    words,
    html`${fateNote(fate)}
<p data-state="${state}">${words}${by && visible(` by ${by.replace(/^The /, 'the ')}`)}${at && html`, ${moment(at)}`}.</p>
${about(request)}
${content(message)}
${sessionLink(session)}`
  )
}

function outcomeOf({ status, approvedBy, cancelledBy, cancelledAt, visibleAt, expiresAt }: OutOfBand) {
  if (status === 'cancelled')
    return { state: 'cancelled', words: 'Removed', by: cancelledBy, at: cancelledAt }
  if (status === 'expired' || status === 'held')
    return { state: 'expired', words: 'Expired without an approval', by: undefined, at: expiresAt }
  return { state: 'approved', words: 'Approved', by: approvedBy, at: visibleAt }
}

const content = ({ content }: OutOfBand): Html =>
  html`<figure><figcaption>Message</figcaption><pre tabindex="0">${visible(content)}</pre></figure>`

function about({ message, session }: HeldRequest, now?: number): Html {
  const { priority, metadata, queuedAt, expiresAt } = message
  const { action, relatedTo } = metadata ?? {}
  return html`<dl>
<dt>Agent</dt><dd>${visible(session.agentName)}</dd>
<dt>Session</dt><dd>${visible(session.title)}</dd>
<dt>Sender</dt><dd>${visible(fromWords(message))}</dd>
<dt>Priority</dt><dd>${priority}</dd>
${action && html`<dt>Action</dt><dd>${action}</dd>`}
${relatedTo && html`<dt>About</dt><dd>${visible(relatedTo)}</dd>`}
<dt>Sent</dt><dd>${moment(queuedAt)}</dd>
${now !== undefined && expiresAt !== undefined && html`<dt>Expires</dt><dd>${moment(expiresAt)} (${left(expiresAt, now)} left)</dd>`}
</dl>`
}
