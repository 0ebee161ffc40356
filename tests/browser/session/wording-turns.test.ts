import { scriptError } from '@waystation/sandbox'
import { expectTexts } from '#tests/browser/expect-texts.ts'
import { pick } from '#tests/browser/settings/pick.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { addFakeVoice } from './fake-voice.ts'
import { openForeman, spawnMessage } from './foreman.ts'
import { hideTab, notificationTitles, recordNotifications } from './record-notifications.ts'
import { requestScript, scriptCall } from './request-script.ts'
import { showState } from './show-state.ts'
import { act, row, startConversation } from './start-conversation.ts'
import { startSession, typeMessage } from './start-session.ts'
import { showPrompts } from './stored-prompts.ts'
import { type Api, expect, type Page, test } from './test.ts'

test('texts of a notification', async ({ page, context, api, id }) => {
  await recordNotifications(context)
  await page.goto('/settings/profile')
  const box = page.getByTestId('notify-waiting')
  await expectTexts([[box, 'name', 'Requests and replies, while this tab is in the background']])
  await box.check()
  await page.waitForResponse(/\/api\/waiting\?mine=true/)
  await hideTab(page)
  const session = { agentId: 'guide', sessionId: id('news'), title: 'Orders' }
  await api('POST', '/api/plugins/sessions/operations/create', session)
  await api('POST', `/api/sessions/${id('news')}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await expect.poll(() => notificationTitles(page)).toEqual(['Orders is waiting for you'])
})

test('texts of the prompt tab', async ({ page, statesUrl }) => {
  await showPrompts(page, statesUrl)
  const tab = page.getByTestId('inspector')
  const instructions = tab.locator('[data-part="instructions"]')
  await instructions.locator('[aria-expanded]').click()
  await expectTexts([
    [page.getByTestId('toggle-inspector'), 'name', 'Inspector'],
    [tab, 'name', 'Inspector'],
    [tab.getByTestId('tab-prompt'), 'name', 'Prompt'],
    [tab.getByTestId('prompt-round'), 'text', /^(Turn \d, step 1 of \d|Step 1) · \d\d:\d\d:\d\d$/],
    [tab.getByTestId('prompt-size'), 'text', '1,202 tokens, counted by the provider with tools'],
    [tab.getByTestId('prompt-tools'), 'name', /^Tools\s*1 · about 300 tokens$/],
    [tab.getByTestId('prompt-messages-group'), 'name', /^Messages\s*5$/],
    [tab.getByTestId('prompt-built'), 'name', /^How it was built\s*6 stages$/],
    [tab.getByTestId('states-about'), 'text', 'These sizes are estimates without the tools.'],
    [tab.getByTestId('prompt-states'), 'name', 'How the prompt was built'],
    [tab.getByTestId('prompt-messages'), 'name', 'Messages'],
    [instructions.locator('[aria-expanded]'), 'name', /^Instructions/],
    [instructions.getByRole('region'), 'name', 'Instructions'],
    [tab.getByTestId('show-same-messages'), 'name', '3 messages unchanged from the previous step'],
    [tab.locator('[data-new] [aria-expanded]').first(), 'name', /^assistant.*new$/],
    [tab.getByTestId('copy-prompt'), 'name', 'Copy as JSON'],
    [tab.getByTestId('previous-prompt'), 'name', 'Previous step'],
    [tab.getByTestId('next-prompt'), 'name', 'Next step']
  ])
  await expect(tab.getByTestId('prompt-states').getByRole('listitem')).toHaveText([
    'Instructions 400 tokens',
    'History 7 messages · the first is a summary of earlier messages · 2,000 tokens',
    'quiet changed nothing',
    'duration-filter 7 → 5 messages, without alarm-clock, −1,500 tokens',
    'broken failed and was skipped · 5 s',
    'Final prompt 5 messages · 900 tokens · without alarm-clock'
  ])
  await tab.getByTestId('previous-prompt').click()
  await expectTexts([[tab.getByTestId('newest-prompt'), 'name', 'Show newest']])
  await tab.getByTestId('tab-trace').click()
  await tab.locator('[data-trace="msg_3#0"]').click()
  await expectTexts([
    [tab.getByTestId('tab-trace'), 'name', 'Trace'],
    [tab.getByTestId('show-prompt'), 'name', 'Show prompt'],
    [tab.getByTestId('show-row'), 'name', 'Show in transcript'],
    [tab.getByTestId('close-detail'), 'name', 'Close details'],
    [tab.getByTestId('trace-detail'), 'part', '1,202 tokens with tools, counted by the provider']
  ])
})

test('texts for a prompt that cannot be shown', async ({ page, statesUrl }) => {
  await showPrompts(page, statesUrl, [])
  await expectTexts([
    [page.getByTestId('no-prompt'), 'text', 'No stored prompts yet. They appear after the first step.']
  ])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await showPrompts(page, statesUrl, [], 'It was removed.')
  await expectTexts([[page.getByTestId('prompt-fault'), 'part', "Couldn't load the prompt. It was removed."]])
})

test('texts of reading aloud, with and without voices', async ({ page, context, statesUrl }) => {
  await showState(page, statesUrl, 'parked')
  await page.getByTestId('session-menu').click()
  await expectTexts([
    [page.getByTestId('session-menu'), 'name', 'More actions'],
    [page.getByTestId('read-aloud'), 'name', /^Read replies aloud/],
    [page.getByTestId('read-aloud'), 'part', 'no voices in this browser']
  ])
  await context.addInitScript(addFakeVoice)
  await page.reload()
  await page.getByTestId('session-menu').click()
  await expectTexts([[page.getByTestId('read-aloud'), 'name', 'Read replies aloud']])
  await page.getByTestId('read-aloud').click()
  await page.getByTestId('session-menu').click()
  await expectTexts([[page.getByTestId('stop-reading'), 'name', 'Stop reading replies aloud']])
})

test('texts of a call that an external service has received', async ({ page, statesUrl }) => {
  await showState(page, statesUrl, 'parked-other')
  await expectTexts([[page.getByTestId('call-delivery'), 'text', 'Delivered 14:02, no reply yet.']])
})

test('texts of an unreachable service and of a canceled request', async ({ page, api, id }) => {
  const agentId = id('sender')
  const dispatch = {
    name: 'dispatch',
    where: 'external',
    title: 'Acme dispatcher',
    description: 'Dispatches.',
    inputSchema: { type: 'object' },
    url: 'http://127.0.0.1:9/orders'
  }
  await api('POST', '/api/agents', { agentId, displayName: 'Sender', chat: { tools: [dispatch] } })
  await startSession(page, api, id('not-reached'), agentId)
  await typeMessage(page, 'use dispatch {}')
  const trouble = "Acme dispatcher didn't accept the call: no response"
  await expectTexts([
    [page.locator('[data-face]'), 'part', trouble],
    [page.getByTestId('call-delivery'), 'part', trouble],
    [page.getByTestId('call-delivery'), 'part', "The server won't retry, but the call stays open."]
  ])
  await page.getByTestId('toggle-inspector').click()
  const inspector = page.getByTestId('inspector')
  await inspector.getByTestId('tab-context').click()
  await expectTexts([
    [inspector.getByTestId('tab-deliveries'), 'name', 'Deliveries'],
    [inspector.getByTestId('tab-context'), 'name', 'Context'],
    [inspector.getByTestId('close-inspector'), 'name', 'Close inspector'],
    [inspector.getByTestId('still-waiting'), 'part', '“still waiting” because it has no answer yet']
  ])
  await page.getByTestId('session-menu').click()
  await expectTexts([[page.getByTestId('cancel-waits'), 'name', 'Cancel request']])
  await page.getByTestId('cancel-waits').click()
  await expectTexts([[page.getByTestId('confirm'), 'name', 'Cancel request']])
  await page.getByTestId('confirm').click()
  await expectTexts([[page.getByTestId('tool-call'), 'part', 'canceled by Local owner']])
})

test('texts of a queued message', async ({ page, api, id }) => {
  await startSession(page, api, id('beside'))
  await typeMessage(page, 'count to 10000')
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'running')
  await api('POST', `/api/sessions/${id('beside')}/oob`, {
    content: 'Red.',
    priority: 'high',
    sourceId: 'ci'
  })
  await expectTexts([
    [page.getByTestId('queued-messages'), 'name', 'Queued messages'],
    [page.getByTestId('queued-message'), 'part', 'Before the next step'],
    [page.getByTestId('remove-queued'), 'name', 'Remove message: Red.'],
    [page.getByTestId('stop-turn'), 'name', 'Stop']
  ])
  await page.getByTestId('stop-turn').click()
})

/** Opens a session with two pending approvals. */
async function openTwo(page: Page, api: Api, sessionId: string) {
  await startSession(page, api, sessionId)
  for (const which of ['one', 'two']) {
    const text = `use web-fetch {"url": "https://example.com/${which}"}`
    await api('POST', `/api/sessions/${sessionId}/messages`, { text })
    // The session accepts the next message once it is parked.
    await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
  }
}

test('texts of two pending calls', async ({ page, api, id }) => {
  await openTwo(page, api, id('two'))
  await expectTexts([
    [page.getByTestId('dock'), 'name', '2 pending requests'],
    [page.getByTestId('call-position'), 'text', '1 of 2'],
    [page.getByTestId('dock').getByTestId('approve-call'), 'name', 'Fetch page'],
    [page.getByTestId('dock').getByTestId('decline-call'), 'name', 'Decline']
  ])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectTexts([[page.getByTestId('open-dock'), 'name', /2 requests for you/]])
  await page.getByTestId('open-dock').click()
  await expectTexts([[page.getByRole('dialog'), 'name', '2 requests for you']])
  await page.getByTestId('approve-call').click()
  await expectTexts([[page.getByRole('dialog'), 'name', '1 request for you']])
})

test('texts of the actions on a turn', async ({ page, api, id }) => {
  await startConversation(page, api, id('stem'), ['say one', 'say two'])
  const clickAction = (text: string, name: string) => act(row(page, text).first(), name)
  await row(page, 'say one').first().hover()
  await row(page, 'say one').first().getByTestId('message-menu').click()
  await expectTexts([
    [page.getByTestId('transcript'), 'name', 'Transcript'],
    [row(page, 'say one').getByTestId('message-copy'), 'name', 'Copy message'],
    [row(page, 'say one').getByTestId('message-rerun'), 'name', 'Run again from here'],
    [row(page, 'say one').getByTestId('message-edit'), 'name', 'Edit and run again'],
    [row(page, 'say one').getByTestId('message-branch'), 'name', 'Branch into new session'],
    [row(page, 'say one').getByTestId('message-delete'), 'name', 'Delete turn…'],
    [page.getByTestId('message-copy').last(), 'name', 'Copy reply as Markdown']
  ])
  await page.keyboard.press('Escape')
  await clickAction('say one', 'edit')
  await expectTexts([
    [page.getByTestId('message-edit-input'), 'name', 'Edit message'],
    [page.getByTestId('edit-effect'), 'part', 'This also removes 1 later turn.']
  ])
  await page.keyboard.press('Escape')
  const dialog = page.getByRole('dialog')
  await clickAction('say one', 'rerun')
  await expectTexts([
    [dialog, 'name', 'Run again from here?'],
    [dialog, 'description', /This also removes 1 later turn\./],
    [dialog.getByTestId('confirm'), 'name', 'Run again'],
    [dialog.getByTestId('dismiss'), 'name', 'Cancel']
  ])
  await dialog.getByTestId('dismiss').click()
  await typeMessage(page, demo.askWhether('tea is fine'))
  await expect(page.getByTestId('ask-question-container')).toBeVisible()
  await clickAction(demo.askWhether('tea is fine'), 'delete')
  await expectTexts([
    [dialog, 'name', 'Delete this turn?'],
    [dialog, 'description', /This also cancels 1 pending request\./],
    [dialog.getByTestId('confirm'), 'name', 'Delete turn']
  ])
  await dialog.getByTestId('dismiss').click()
  await clickAction('say one', 'branch')
  await expectTexts([
    [page.getByTestId('branched-from'), 'part', `Branched from ${id('stem')}`],
    [page.getByRole('heading', { level: 1 }), 'text', `Branch of ${id('stem')}`]
  ])
})

test('texts of sub-agents', async ({ page, api, id }) => {
  const sendMessage = await openForeman(page, api, id('foreman'))
  await sendMessage(spawnMessage('use ask-question {"question": "Which bird?"}'))
  const subAgents = page.getByTestId('sub-agents')
  const call = page.getByTestId('tool-call')
  await expectTexts([
    [subAgents, 'name', 'Sub-agents'],
    [page.locator('[data-face]'), 'text', 'A sub-agent is waiting for you'],
    [
      page.locator(`[data-session="${id('foreman')}"]`).getByTestId('session-reason'),
      'text',
      'A sub-agent is waiting for you'
    ],
    [call, 'part', 'waiting for a sub-agent']
  ])
  await call.locator('[data-toggle]').click()
  await expectTexts([
    [call.getByRole('heading'), 'text', 'Waiting for Foreman'],
    [call.getByTestId('open-sub-agent'), 'name', 'Open sub-agent session'],
    [call.getByTestId('cancel-wait'), 'name', /^Cancel request: .+/]
  ])
  await subAgents.getByTestId('ask-question-input').fill('The robin')
  await expectTexts([[subAgents.getByTestId('ask-question-submit'), 'name', 'Send answer']])
  await subAgents.getByTestId('ask-question-submit').click()
  await expectTexts([[call.getByTestId('open-sub-agent'), 'name', 'Open sub-agent session']])
})

test('texts of a script', async ({ page, api, id }) => {
  // Without a sandbox, no script asks for approval.
  if ((await scriptError()) !== undefined) {
    await page.goto('/agents/guide?section=tools')
    const reason = page.locator('[data-tool="zx-script"]').getByTestId('tool-unavailable')
    return expectTexts([[reason, 'part', 'They are never run without a sandbox.']])
  }
  const card = await requestScript(page, api, id('scripts'), '// safe\u202e')
  await expectTexts([
    [card.getByRole('heading'), 'text', 'Run a script?'],
    [card.getByTestId('script').getByRole('region'), 'name', 'Script, runs for up to 30 s'],
    [card.getByTestId('hidden-characters'), 'part', 'This script has 1 hidden character'],
    [card.getByTestId('edit-call'), 'name', 'Edit']
  ])
  await card.getByTestId('edit-call').click()
  await expectTexts([
    [card.getByRole('textbox'), 'name', 'Script'],
    [card.getByTestId('approve-edited'), 'name', 'Run script with changes']
  ])
  await card.getByRole('textbox').fill('console.log(6 * 7)')
  await card.getByTestId('approve-edited').click()
  const call = scriptCall(page)
  await expectTexts([[call, 'part', /approved by Local owner/]])
  await call.locator('[data-toggle]').click()
  await expectTexts([
    [call.locator('[data-edition="edited"]').getByRole('region'), 'name', 'Script, as edited'],
    [call.getByTestId('script-output').getByRole('region'), 'name', 'Output'],
    [call.getByTestId('script-end'), 'part', /^Exited with code 0 after/]
  ])
})

test('texts of the rules for scripts', async ({ page, api, id }) => {
  await page.goto('/settings/tool-rules')
  const rules = page.getByTestId('tool-rules')
  await rules.getByTestId('add-tool-rule').click()
  const rule = rules.getByTestId('tool-rule').last()
  await pick(rule.getByTestId('rule-tool'), 'zx-script')
  await expectTexts([
    [rules, 'name', 'Tool rules'],
    [rules.getByTestId('add-tool-rule'), 'name', 'Add rule'],
    [rule.getByTestId('rule-tool'), 'name', 'Tool'],
    [rule.getByTestId('always-asked'), 'part', 'For zx-script, “Allow” has no effect']
  ])
  const agentId = id('scripted')
  const tools = [{ name: 'zx-script', approval: 'ask' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Scripted', chat: { tools } })
  await page.goto(`/agents/${agentId}?section=tools`)
  await expectTexts([
    [page.locator('[data-tool="zx-script"]').getByRole('combobox'), 'name', 'Approval for zx-script']
  ])
})
