import { png } from '#tests/support/browser/png.ts'
import {
  createExternal,
  createWiki,
  openAlarms,
  openCompacted,
  openHandoff,
  openHandoffDialog,
  openNotSent,
  openQuestion,
  openSession,
  threeAlarms,
  typeMessage
} from './open.ts'
import { context, contextFilledTo, deliveries, showContext, showSession } from './show-session.ts'
import { expect, type Page, test } from './test.ts'

/** The expected texts, by hook or selector. */
type Texts = Record<string, string | RegExp>

const locatorOf = (page: Page, target: string) =>
  /^\w[\w-]*$/.test(target) ? page.getByTestId(target) : page.locator(target)

async function expectTexts(page: Page, rows: Texts): Promise<void> {
  for (const [target, text] of Object.entries(rows))
    await expect.soft(locatorOf(page, target), target).toContainText(text)
}

async function expectNames(page: Page, rows: Texts): Promise<void> {
  for (const [target, text] of Object.entries(rows))
    await expect.soft(locatorOf(page, target), target).toHaveAccessibleName(text)
}

const dialog = 'dialog[open]'
const face = '[data-face]'
const composer = '[data-composer]'
const toggle = (row: string) => `[data-row="${row}"] [data-toggle]`
const file = (name: string) => `[data-hook=attachment]:has-text("${name}")`

test('texts of alarms', async ({ page, api, id }) => {
  const setAlarms = await openAlarms(page, api, id('warden'))
  await setAlarms(...threeAlarms())
  await expectTexts(page, { '[data-alarm]': /^Wakes .*every hour · Look at the build/ })
  await expectNames(page, {
    alarms: 'Alarms',
    'more-alarms': 'Show 2 more alarms',
    'cancel-alarm': /^Cancel alarm: .*Look at the build$/,
    [composer]: 'Message to Warden',
    'send-message': 'Send'
  })
  await page.getByTestId('more-alarms').click()
  await expectTexts(page, { '[data-alarm]:last-child': 'cron 0 9 1 1 *, UTC' })
})

test('texts of files that cannot be sent', async ({ page, api, id }) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('files') })
  await page.getByTestId('attach-input').setInputFiles([
    { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(11 * 1024 * 1024) },
    { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') }
  ])
  await expectTexts(page, {
    [file('large.bin')]: 'Larger than the 10.0 MB limit',
    [file('fake.png')]: 'its content is not',
    [file('a.zip')]: 'The model gets the file name but not the content.'
  })
  await expectNames(page, {
    'attach-files': 'Attach files',
    [`${file('a.zip')} [data-hook=remove-attachment]`]: 'Remove a.zip'
  })
  await page.locator('[data-hook=transcript]').evaluate(target => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }))
    target.dispatchEvent(new DragEvent('dragenter', { bubbles: true, cancelable: true, dataTransfer }))
  })
  await expectTexts(page, { 'drop-here': 'Drop to attach' })
})

test('texts of interrupted uploads', async ({ page, api, id }) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('files') })
  const uploads = /\/files\?/
  await page.route(uploads, () => {})
  await page
    .getByTestId('attach-input')
    .setInputFiles([{ name: 'cat.png', mimeType: 'image/png', buffer: png(24, 12) }])
  await expect(page.locator(`${file('cat.png')}[data-state=uploading]`)).toBeVisible()
  await page.reload()
  await expectTexts(page, { [file('cat.png')]: 'Upload interrupted by a page reload' })
  await page.unroute(uploads)
  await page.route(uploads, route => route.abort())
  await page
    .getByTestId('attach-input')
    .setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') }])
  await expectTexts(page, { [file('notes.txt')]: "Can't reach the server." })
  await expectNames(page, { 'retry-attachment': 'Try again' })
})

test('texts of a summary', async ({ page, api, id }) => {
  const row = await openCompacted(page, api, id('terse'))
  await expect(row).toContainText(/\d+ messages? summarized · [\d.]+k? → [\d.]+k? tokens/)
  await expect(row.locator('[data-made-by]')).toContainText('Summarized by')
})

test('text of a message that is no longer sent to the model', async ({ page, api, id }) => {
  await openNotSent(page, api, id('brief'))
  await expect(page.getByTestId('row-not-sent')).toHaveAttribute('title', 'No longer sent to the model')
})

test('texts of a handoff', async ({ page, api, id }) => {
  const backOffice = await openHandoff(page, api, id)
  await typeMessage(page, `use handoff_to_${backOffice} {"reason": "It is about a file."}`)
  await expectTexts(page, {
    handoff: 'Handed off to Back office by Front desk: It is about a file.',
    'agent-name': 'Front desk → Back office'
  })
  await expectNames(page, { [composer]: 'Message to Back office' })
  await page.getByTestId('session-menu').click()
  await expectNames(page, { 'open-handoff': 'Hand off session…' })
  await page.keyboard.press('Escape')
  await openHandoffDialog(page)
  await expectNames(page, { [dialog]: 'Hand off this session', 'start-handoff': 'Hand off session' })
})

test('texts of the form of an MCP server', async ({ page, api, id }) => {
  await openQuestion(page, api, id('flights'))
  await page.getByTestId('send-answer').click()
  await expectTexts(page, {
    'call-reason': 'flights needs your input before flights__go can continue.',
    '[data-hook=field-fault] >> nth=0': 'This field is required.'
  })
  await expectNames(page, { 'send-answer': 'Send answer', 'decline-call': 'Decline' })
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Seat').selectOption('Window')
  await page.getByLabel('Bags').fill('7')
  await page.getByTestId('send-answer').click()
  await expectTexts(page, { 'refused-answer': 'The call is still open.' })
  await page.getByLabel('Bags').fill('1')
  await page.getByTestId('send-answer').click()
  await page.getByLabel('Yes, book it').check()
  await page.getByTestId('send-answer').click()
  await expectTexts(page, { '[data-toggle]:has-text("flights__go")': 'answered by Local owner' })
})

test('texts of the context meter and its tab', async ({ page, statesUrl }) => {
  await showContext(page, statesUrl, () => contextFilledTo(0.96))
  await expectNames(page, {
    'context-meter': 'Context: 96,000 of 100,000 tokens, 96 %, about to overflow'
  })
  await expectTexts(page, { 'context-meter': '96 %about to overflow' })
  await page.getByTestId('context-meter').click()
  await expectNames(page, { 'context-popover': 'Context' })
  await expectTexts(page, { 'open-context': 'Show context' })
  await page.getByTestId('open-context').click()
  await expectNames(page, {
    inspector: 'Inspector',
    'tab-context': 'Context',
    'prompt-parts': 'Prompt contents'
  })
  await expectTexts(page, {
    'context-fill': '96,000 of 100,000 tokens, 96 %, about to overflow',
    'context-estimate': /^12 entries, estimated\. Estimated from text length\./
  })
  await expect(page.getByTestId('prompt-parts').getByRole('listitem')).toHaveText([
    'Tool results64,00066 %',
    /^User/,
    'Assistant3,0003 %',
    'Tools900< 1 %',
    'Instructions500< 1 %',
    'Signals60< 1 %',
    'Earlier conversation40< 1 %'
  ])
})

test('texts of the inspector', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'parked-other', { context, deliveries: { deliveries } })
  await expectTexts(page, {
    [face]: "Acme dispatcher didn't accept the call: 500 after 0.1 s",
    [toggle('call_dispatch')]: "didn't accept the call: 500",
    '[data-row="call_dispatch"]': 'The server retries the call at 14:08.'
  })
  await expectNames(page, { 'toggle-inspector': 'Inspector' })
  await page.getByTestId('toggle-inspector').click()
  await expectNames(page, {
    'tab-trace': 'Trace',
    'tab-deliveries': 'Deliveries',
    'tab-prompt': 'Prompt',
    'tab-config': 'Agent'
  })
  await page.getByTestId('tab-deliveries').click()
  await expectNames(page, { deliveries: 'Deliveries' })
  await expectTexts(page, {
    'next-attempt': 'Next attempt 14:08, 2 left.',
    '[data-hook=deliveries] thead': /^Time/
  })
  await page.getByTestId('tab-context').click()
  await expectNames(page, { 'prompt-entries': 'Prompt entries' })
  await expectTexts(page, {
    'context-fill': '1,817 of 120,000 tokens, 1 %',
    'context-estimate':
      /^73 entries, estimated\. Estimated at 1,652 tokens, then scaled by 1\.10 to match the provider's count\. This is the next prompt, with tools\./,
    'earlier-entries': '71 earlier entries',
    'still-waiting': 'dispatch-crew is marked “still waiting” because it has no answer yet.'
  })
  await page.getByTestId('tab-config').click()
  await expectNames(page, { pin: 'Pinned version' })
  await expectTexts(page, { 'session-facts': 'version' })
})

test('texts of a tab that cannot load', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'parked-other')
  await page.getByTestId('toggle-inspector').click()
  await page.getByTestId('tab-context').click()
  await expectTexts(page, { 'context-state': "Couldn't load the context. No such thing." })
})

test('texts of the trace', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'both')
  await page.keyboard.press('t')
  await expectNames(page, {
    'trace-band': 'Trace',
    trace: 'Trace',
    'trace-filter': 'Filter the trace',
    'narrow-trace': 'Side panel',
    '[data-trace="call_weather"]': 'river-levels Lower weir 2 s',
    '[data-trace="call_dispatch#wait"]': 'Waiting for Acme dispatcher 4 min',
    '[data-trace="call_fetch#wait"]': 'Waiting for a person 4 min',
    '[data-trace="msg_2#0"]': /^Step 1 I need two things/
  })
  await page.locator('[data-trace="call_weather"]').click()
  await expectNames(page, { 'trace-detail': 'Details of river-levels' })
  await page.getByTestId('narrow-trace').click()
  await expectNames(page, { 'widen-trace': 'Full width' })
  await page.getByTestId('trace-filter').fill('nothing like it')
  await expectTexts(page, { 'no-trace': 'No matching rows.' })
})

test('texts for canceling pending requests', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'both')
  const wait = '[data-row="call_dispatch"] [data-hook=cancel-wait]'
  await expectNames(page, { [wait]: /^Cancel request: .+/, 'session-menu': 'More actions' })
  await page.locator(wait).click()
  await expectNames(page, {
    [dialog]: 'Cancel this request?',
    confirm: 'Cancel request',
    dismiss: 'Keep waiting'
  })
  await expectTexts(page, { [dialog]: 'Later answers from Acme dispatcher will be ignored.' })
  await page.keyboard.press('Escape')
  await page.getByTestId('session-menu').click()
  await expectNames(page, { 'cancel-waits': 'Cancel all 2 requests' })
  await page.getByTestId('cancel-waits').click()
  await expectNames(page, { confirm: 'Cancel requests' })
})

test('texts of the dock', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'parked')
  const dock = (hook: string) => `#waits [data-hook=${hook}]`
  await expect(page.locator('a[href="#waits"]')).toHaveText('Skip to pending requests')
  await expectNames(page, {
    '#waits': '1 pending request',
    [dock('approve-call')]: 'Fetch page',
    [dock('edit-call')]: 'Edit',
    [dock('decline-call')]: 'Decline'
  })
  await page.locator(dock('edit-call')).click()
  await expectNames(page, { 'approve-edited': 'Fetch page with changes', 'undo-edits': 'Back' })
  await page.locator(dock('edit-json')).click()
  await page.locator('#waits').getByRole('textbox').fill('{"url":')
  await expect(page.locator('#waits').getByRole('textbox')).toHaveAccessibleDescription(/Invalid JSON/)
})

test('texts of declining', async ({ page, statesUrl }) => {
  await showSession(page, statesUrl, 'parked')
  await page.locator('#waits').getByTestId('decline-call').click()
  await expectNames(page, {
    '#waits textarea': 'Reason (optional, shared with the agent)',
    '#waits [data-hook=confirm-decline]': 'Decline'
  })
})

test('texts of a late answer and of an unsent one', async ({ page, statesUrl }) => {
  const winner = { state: 'approved', answeredBy: 'Ben', at: '2026-03-12T14:05:00.000Z' }
  let reply = { status: 503, json: { error: 'Down.', code: 'UNAVAILABLE', winner: undefined as unknown } }
  await showSession(page, statesUrl, 'parked')
  await page.route('**/answer', route => route.fulfill(reply))
  await page.locator('#waits').getByTestId('approve-call').click()
  await expectTexts(page, {
    '#waits [data-hook=unsent-answer]':
      'Not sent yet. Your answer is saved in this browser and will be sent when the server is back.'
  })
  reply = { status: 409, json: { error: 'It is settled.', code: 'ALREADY_SETTLED', winner } }
  await expectTexts(page, {
    'late-answer': 'Ben approved this at 14:05. Your answer was not used.'
  })
  await expectNames(page, { 'show-call': 'Show call' })
})

test('texts of a new session with an external agent', async ({ page, api, external, id }) => {
  const agentId = id('acme')
  await createExternal(api, agentId, external)
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId: id('taken') })
  await page.goto(`/agents/${agentId}`)
  await page.getByTestId('new-session').click()
  await expectNames(page, { [dialog]: 'New session', 'create-session': 'Start session' })
  for (const [input, text] of [
    [id('taken'), 'This ID belongs to a session with Guide. Choose another ID.'],
    ['no/slash', /letters, digits, - and _\.$/],
    [id('free'), 'This ID is available.']
  ] as const) {
    await page.getByRole('dialog').getByRole('textbox').fill(input)
    await expectTexts(page, { 'id-check': text })
  }
})

test('texts of a session with an external agent', async ({ page, api, external, id }) => {
  const agentId = id('acme')
  await createExternal(api, agentId, external)
  await openSession(page, api, { agentId, sessionId: agentId })
  await expectTexts(page, {
    'external-agent': 'Acme office is an external agent.',
    callback: /curl 'http.*\/messages\?token=/,
    [face]: 'No messages yet'
  })
  await typeMessage(page, 'two crates of lamp oil')
  await expectTexts(page, { 'message-delivery': 'Sent to Acme office', [face]: 'Sent to Acme office' })
  await expect.poll(() => external.received.length).toBe(1)
  await external.reply('On its way.')
  await expectTexts(page, { [face]: 'Ready' })
  external.status = 503
  await typeMessage(page, 'anybody there?')
  await expectTexts(page, {
    'message-delivery': /Acme office didn't accept the message: 503.* Your message is saved\./,
    [face]: "Acme office didn't accept the message: 503",
    [`a[href="/sessions/${agentId}"][data-state]`]: "Acme office didn't accept the message"
  })
  await expectNames(page, { 'send-again': 'Send again' })
  await page.goto(`/attach?agentId=${agentId}&sessionId=${agentId}`)
  await expectTexts(page, { 'id-check': "A session with this ID exists. You'll open it." })
  await expectNames(page, { 'attach-session': 'Open session' })
})

test('texts of the active item that is sent with messages', async ({ page, api, external, id }) => {
  const [agentId, wiki] = [id('acme'), id('recipes')]
  await createExternal(api, agentId, external)
  await page.route('/api/wikis', route => route.fulfill({ json: { wikis: [] } }))
  await openSession(page, api, { agentId, sessionId: agentId })
  const box = page.getByTestId('send-active-item')
  await expect(box).toHaveAccessibleDescription(/No active item yet/)
  // A hidden field has no accessible name.
  await expect(page.getByTestId('active-item-input')).toHaveAttribute('aria-label', 'Active item')
  await expectNames(page, {
    'send-active-item': 'Send active item with messages',
    'choose-page': 'Choose wiki page…'
  })
  await page
    .getByTestId('active-item-input')
    .setInputFiles({ name: 'huge.txt', mimeType: 'text/plain', buffer: Buffer.alloc(300 * 1024, 'x') })
  await expectTexts(page, { 'active-item-fault': 'huge.txt is larger than 256 KiB. Choose a smaller file.' })
  await page.getByTestId('choose-page').click()
  await expectNames(page, { [dialog]: 'Send a wiki page with messages' })
  await expectTexts(page, { 'no-wiki': 'This workspace has no wikis yet. Create one under Wikis.' })
  await page.keyboard.press('Escape')
  await page.unroute('/api/wikis')
  await createWiki(api, wiki)
  await page.getByTestId('choose-page').click()
  const choice = page.getByRole('dialog').locator('select')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible()
  if ((await choice.count()) > 0) await choice.selectOption(wiki)
  await expectTexts(page, { 'page-count': '2 pages' })
  await page.getByRole('dialog').getByRole('searchbox').fill('soup')
  await expectTexts(page, { 'page-count': /^1 page$/ })
  await page.getByRole('dialog').getByRole('button', { name: 'Soup' }).click()
  await expectNames(page, {
    'send-active-item': `Send Soup from the wiki ${wiki} with messages`,
    'clear-active-item': 'Remove item'
  })
  await typeMessage(page, 'cook this')
  await expectTexts(page, { 'sent-item': 'Active item: Soup' })
})
