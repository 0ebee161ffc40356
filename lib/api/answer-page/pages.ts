import type { Call } from '@waystation/protocol/call/call.ts'
import { Question } from '@waystation/protocol/call/question.ts'
import { left } from '#components/browser/format-time.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { describeCall } from '#components/session/wording/describe-call.ts'
import type { AnswerPageData, PageSession } from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { type Html, html, visible } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'

/** A form that was sent but not accepted. The page shows its input again, with the error. */
export type Sent = { form: URLSearchParams; error: string }

/** The most characters of a heading. */
const maxHeading = 160

/** Renders the page of a call: its form while the call is open, and its outcome afterwards. */
export function requestPage(request: AnswerPageData, now: number, sent?: Sent): string {
  const { call, kind } = request
  if (call.kind !== kind) return passedOnPage(request)
  if (call.state !== 'open') return settledPage(request)
  if (Date.parse(call.deadline) <= now)
    return htmlPage(
      'plain',
      'This request has expired',
      html`<p>The deadline has passed, so you can no longer answer.</p>${about(request, now)}`
    )
  const { title, why, short } = cardHeading(call)
  const question = call.kind === 'question' ? Question.safeParse(call.input).data?.question : undefined
  // The arguments show a tool's input in full. A long question is shown below the heading.
  const isLong = (question ?? title).length > maxHeading
  const heading = !isLong ? (question ?? title) : question ? 'The agent has a question' : `${short}?`
  return htmlPage(
    'you',
    visible(heading),
    html`${isLong && question ? html`<p class="question">${visible(question)}</p>` : why && html`<p>${visible(why)}</p>`}
${about(request, now)}
${call.kind === 'question' ? undefined : args(call.input)}
${sent && html`<p class="fail" role="alert">${sent.error}</p>`}
${request.barred === undefined ? form(call, sent?.form) : html`<p class="fail">${request.barred}</p>`}
${sessionLink(request)}`
  )
}

/** Renders the outcome for a reader whose answer was accepted. */
export const acceptedPage = (request: AnswerPageData): string =>
  request.call.kind === request.kind ? settledPage(request, 'taken') : passedOnPage(request)

/** Renders the outcome for a reader whose answer came too late. */
export const tooLatePage = (request: AnswerPageData): string => settledPage(request, 'lost')

/** Renders the error page of an invalid link. */
export const errorPage = (message: string): string =>
  htmlPage('fail', "You can't answer with this link", html`<p>${message}</p>`)

const outcomeOf: Record<Call['state'], string> = {
  open: 'Pending',
  answered: 'Answered',
  approved: 'Approved',
  denied: 'Declined',
  declined: 'Declined',
  expired: 'Expired without an answer',
  cancelled: 'Canceled',
  failed: 'Ended'
}

const fateNotes = {
  taken: 'Your answer was accepted.',
  lost: 'Your answer was not used, because the request was already closed.'
}
/** Tells if the answer that the reader just sent was accepted. */
export type Fate = keyof typeof fateNotes

/** Renders the note about the answer that the reader just sent, if they sent one. */
export const fateNote = (fate: Fate | undefined): Html | undefined =>
  fate && html`<p role="status" data-fate="${fate}">${fateNotes[fate]}</p>`

function settledPage(request: AnswerPageData, fate?: Fate): string {
  const { call } = request
  const answerer = call.answeredBy?.replace(/^The /, 'the ')
  const by = answerer === undefined || call.state === 'expired' ? '' : ` by ${answerer}`
  return htmlPage(
    'plain',
    outcomeOf[call.state],
    html`${fateNote(fate)}
<p data-state="${call.state}">${outcomeOf[call.state]}${visible(by)}${call.settledAt && html`, ${moment(call.settledAt)}`}.</p>
${call.reason && html`<p>${visible(`“${call.reason}”`)}</p>`}
${answerText(call) && html`<p>${visible(`“${answerText(call)}”`)}</p>`}
<p class="muted">Request: ${visible(cardHeading(call).title)}</p>
${about(request)}
${sessionLink(request)}`
  )
}

/** Returns the answer to a question as text. */
function answerText({ kind, output }: Call): string | undefined {
  const { answer } = (output ?? {}) as { answer?: string | string[] }
  return kind === 'question' && answer !== undefined ? [answer].flat().join(', ') : undefined
}

const passedOnPage = (request: AnswerPageData): string =>
  htmlPage(
    'plain',
    'Approved',
    html`<p role="status">${visible(request.call.answeredBy ?? request.call.reason ?? 'The request was approved')}${request.call.answeredBy ? ' approved this request' : ''}. Another system is now carrying it out.</p>
${about(request)}
${sessionLink(request)}`
  )

/** Lists the agent, the session, the tool and the times of a call, with the deadline if `now` is set. */
const about = ({ call, agentName, title }: AnswerPageData, now?: number): Html => html`<dl>
<dt>Agent</dt><dd>${visible(agentName)}</dd>
<dt>Session</dt><dd>${visible(title)}</dd>
${call.kind === 'approval' && html`<dt>Tool</dt><dd>${visible(call.toolName)}</dd>`}
<dt>Requested</dt><dd>${moment(call.since)}</dd>
${now !== undefined && html`<dt>Deadline</dt><dd>${moment(call.deadline)} (${left(call.deadline, now)} left)${call.onDeadline === 'declined' ? ', then it is declined' : ''}</dd>`}
</dl>`

/** Renders the link to the session's page in the app. */
export const sessionLink = ({ sessionUrl }: Pick<PageSession, 'sessionUrl'>): Html =>
  html`<p><a href="${sessionUrl}" rel="noreferrer">Open the session</a> <small>for details (sign-in required)</small></p>`

const args = (input: unknown): Html =>
  html`<figure><figcaption>Arguments</figcaption><pre tabindex="0">${visible(JSON.stringify(input, null, 2) ?? '')}</pre></figure>`

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC'
})
/** Renders a time in UTC, because the server does not know the reader's time zone. */
export const moment = (iso: string): Html =>
  html`<time datetime="${iso}">${dateFormat.format(Date.parse(iso))} UTC</time>`

function form(call: Call, sent = new URLSearchParams()): Html {
  const question = call.kind === 'question' ? Question.safeParse(call.input) : undefined
  if (question !== undefined && !question.success)
    return html`<p>You can answer this question only in its session.</p>`
  const [yes, no] =
    call.kind === 'limit'
      ? ['Continue', 'Stop here']
      : question
        ? ['Send answer', 'Decline']
        : [describeCall(call).button, 'Decline']
  return html`<form method="post">
${question && choices(question.data, sent)}
<label class="words">${question ? 'Reason for declining (optional)' : 'Reason (optional)'}
<textarea name="reason" rows="2" maxlength="4000">${sent.get('reason') ?? ''}</textarea></label>
<div class="buttons"><button class="primary" name="do" value="yes">${visible(yes ?? '')}</button><button name="do" value="no">${no}</button></div>
</form>`
}

function choices({ inputType, options = [], allowFreeform }: Question, sent: URLSearchParams): Html {
  const type = inputType === 'multi-select' ? 'checkbox' : 'radio'
  const hasTextField = inputType === 'text' || allowFreeform || options.length === 0
  const shownOptions = inputType === 'text' ? [] : options
  return html`${
    shownOptions.length > 0 &&
    html`<fieldset><legend><small>${type === 'radio' ? 'Choose one' : 'Choose any'}</small></legend>${shownOptions.map(
      ({ label, description }, index) =>
        html`<label class="option"><input type="${type}" name="choice" value="${index}"${sent.getAll('choice').includes(String(index)) && html` checked`}><span>${visible(label)}${description && html`<small>${visible(description)}</small>`}</span></label>`
    )}</fieldset>`
  }${
    hasTextField &&
    html`<label class="words">${shownOptions.length > 0 ? 'Something else' : 'Your answer'}
<textarea name="text" rows="3" maxlength="20000">${sent.get('text') ?? ''}</textarea></label>`
  }`
}
