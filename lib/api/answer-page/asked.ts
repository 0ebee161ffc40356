import { actOf } from '#components/session/act.ts'
import { headOf } from '#components/session/head-of.ts'
import { left } from '#components/session/when.ts'
import type { AskedByPage } from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { type Html, html, visible } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'
import { type Call, Question } from '#lib/protocol/call/call.ts'

/** What stands in a form that was sent and not taken: it is there again, with what is wrong. */
export type Sent = { form: URLSearchParams; fault: string }

/** Of a heading, in characters. */
const longest = 160

/** The page of a call: while it is open with the form that answers it, afterwards with what became of it. */
export function askedPage(asked: AskedByPage, now: number, sent?: Sent): string {
  const { call, kind } = asked
  if (call.kind !== kind) return passedOnPage(asked)
  if (call.state !== 'open') return settledPage(asked)
  if (Date.parse(call.deadline) <= now)
    return htmlPage(
      'plain',
      'This request has expired',
      html`<p>The deadline has passed, so you can no longer answer.</p>${about(asked, now)}`
    )
  const { title, why, short } = headOf(call)
  const question = call.kind === 'question' ? Question.safeParse(call.input).data?.question : undefined
  // What would run stands whole in its arguments, a long question below.
  const isLong = (question ?? title).length > longest
  const heading = !isLong ? (question ?? title) : question ? 'The agent has a question' : `${short}?`
  return htmlPage(
    'you',
    visible(heading),
    html`${isLong && question ? html`<p class="question">${visible(question)}</p>` : html`<p>${visible(why)}</p>`}
${about(asked, now)}
${call.kind === 'question' ? undefined : args(call.input)}
${sent && html`<p class="fail" role="alert">${sent.fault}</p>`}
${asked.barred === undefined ? form(call, sent?.form) : html`<p class="fail">${asked.barred}</p>`}
${elsewhere(asked)}`
  )
}

/** What an answer came to, for whoever just sent it. */
export const takenPage = (asked: AskedByPage): string =>
  asked.call.kind === asked.kind ? settledPage(asked, 'taken') : passedOnPage(asked)

/** Somebody was faster, as the page goes on to say. */
export const lostPage = (asked: AskedByPage): string => settledPage(asked, 'lost')

/** A link that opens nothing, in one sentence. */
export const refusedPage = (words: string): string =>
  htmlPage('fail', "You can't answer with this link", html`<p>${words}</p>`)

const outcome: Record<Call['state'], string> = {
  open: 'Pending',
  answered: 'Answered',
  approved: 'Approved',
  denied: 'Declined',
  declined: 'Declined',
  expired: 'Expired without an answer',
  cancelled: 'Canceled',
  failed: 'Ended'
}

/** What a page says of the answer that its reader just sent. */
const fates = {
  taken: 'Your answer was accepted.',
  lost: 'Your answer was not used, because the request was already closed.'
}

function settledPage(asked: AskedByPage, fate?: keyof typeof fates): string {
  const { call } = asked
  const who = call.answeredBy?.replace(/^The /, 'the ')
  const by = who === undefined || call.state === 'expired' ? '' : ` by ${who}`
  return htmlPage(
    'plain',
    outcome[call.state],
    html`${fate && html`<p role="status" data-fate="${fate}">${fates[fate]}</p>`}
<p data-state="${call.state}">${outcome[call.state]}${visible(by)}${call.settledAt && html`, ${moment(call.settledAt)}`}.</p>
${call.reason && html`<p>${visible(`“${call.reason}”`)}</p>`}
${answered(call) && html`<p>${visible(`“${answered(call)}”`)}</p>`}
<p class="muted">Request: ${visible(headOf(call).title)}</p>
${about(asked)}
${elsewhere(asked)}`
  )
}

/** What a question was answered with. */
function answered({ kind, output }: Call): string | undefined {
  const { answer } = (output ?? {}) as { answer?: string | string[] }
  return kind === 'question' && answer !== undefined ? [answer].flat().join(', ') : undefined
}

const passedOnPage = (asked: AskedByPage): string =>
  htmlPage(
    'plain',
    'Approved',
    html`<p role="status">${visible(asked.call.answeredBy ?? asked.call.reason ?? 'The request was approved')}${asked.call.answeredBy ? ' approved this request' : ''}. Another system is now carrying it out.</p>
${about(asked)}
${elsewhere(asked)}`
  )

/** Who asks, where, since when and, while it is open, until when. The person's time zone is not known here: UTC is said. */
const about = ({ call, agentName, title }: AskedByPage, now?: number): Html => html`<dl>
<dt>Agent</dt><dd>${visible(agentName)}</dd>
<dt>Session</dt><dd>${visible(title)}</dd>
${call.kind === 'approval' && html`<dt>Tool</dt><dd>${visible(call.toolName)}</dd>`}
<dt>Requested</dt><dd>${moment(call.since)}</dd>
${now !== undefined && html`<dt>Deadline</dt><dd>${moment(call.deadline)} (${left(call.deadline, now)} left)${call.onDeadline === 'declined' ? ', then it is declined' : ''}</dd>`}
</dl>`

const elsewhere = ({ sessionUrl }: AskedByPage): Html =>
  html`<p><a href="${sessionUrl}" rel="noreferrer">Open the session</a> <small>for details (sign-in required)</small></p>`

const args = (input: unknown): Html =>
  html`<figure><figcaption>Arguments</figcaption><pre tabindex="0">${visible(JSON.stringify(input, null, 2) ?? '')}</pre></figure>`

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const moment = (iso: string): Html => html`<time datetime="${iso}">${when.format(Date.parse(iso))} UTC</time>`

function form(call: Call, sent = new URLSearchParams()): Html {
  const question = call.kind === 'question' ? Question.safeParse(call.input) : undefined
  if (question !== undefined && !question.success)
    return html`<p>You can answer this question only in its session.</p>`
  const [yes, no] =
    call.kind === 'limit'
      ? ['Continue', 'Stop here']
      : question
        ? ['Send answer', 'Decline']
        : [actOf(call).button, 'Decline']
  return html`<form method="post">
${question && choices(question.data, sent)}
<label class="words">${question ? 'Reason for declining (optional)' : 'Reason (optional)'}
<textarea name="reason" rows="2" maxlength="4000">${sent.get('reason') ?? ''}</textarea></label>
<div class="buttons"><button class="primary" name="do" value="yes">${visible(yes ?? '')}</button><button name="do" value="no">${no}</button></div>
</form>`
}

function choices({ inputType, options = [], allowFreeform }: Question, sent: URLSearchParams): Html {
  const type = inputType === 'multi-select' ? 'checkbox' : 'radio'
  const writes = inputType === 'text' || allowFreeform || options.length === 0
  const offered = inputType === 'text' ? [] : options
  return html`${
    offered.length > 0 &&
    html`<fieldset><legend><small>${type === 'radio' ? 'Choose one' : 'Choose any'}</small></legend>${offered.map(
      ({ label, description }, index) =>
        html`<label class="option"><input type="${type}" name="choice" value="${index}"${sent.getAll('choice').includes(String(index)) && html` checked`}><span>${visible(label)}${description && html`<small>${visible(description)}</small>`}</span></label>`
    )}</fieldset>`
  }${
    writes &&
    html`<label class="words">${offered.length > 0 ? 'Something else' : 'Your answer'}
<textarea name="text" rows="3" maxlength="20000">${sent.get('text') ?? ''}</textarea></label>`
  }`
}
