import { scriptFault } from '#lib/net/programs/open-scripts.ts'
import { expectWords } from '#tests/browser/expect-words.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { askToRun, scriptCall } from './ask-script.ts'
import { begin, say } from './begin.ts'
import { openForeman, spawns } from './foreman.ts'
import { showPrompts } from './kept-prompts.ts'
import { leave, noticesOf, recordNotices } from './notice-shim.ts'
import { showState } from './show-state.ts'
import { row, talked } from './talked.ts'
import { type Api, expect, type Page, test } from './test.ts'
import { giveVoice } from './voice.ts'

test('the words of a notice', async ({ page, context, api, id }) => {
  await recordNotices(context)
  await page.goto('/settings')
  const box = page.getByTestId('notify-waiting')
  await expectWords([[box, 'name', 'Tell me when something waits for me and I look elsewhere']])
  await box.check()
  await page.waitForResponse(/\/api\/waiting\?mine=true/)
  await leave(page)
  const session = { agentId: 'guide', sessionId: id('news'), title: 'Orders' }
  await api('POST', '/api/plugins/sessions/operations/create', session)
  await api('POST', `/api/sessions/${id('news')}/messages`, { text: demo.asks('tea', 'coffee') })
  await expect.poll(() => noticesOf(page)).toEqual(['Orders waits for you'])
})

test('the words of the prompt tab', async ({ page, statesUrl }) => {
  await showPrompts(page, statesUrl)
  const tab = page.getByTestId('inspector')
  const instructions = tab.locator('[data-part="instructions"]')
  await instructions.locator('[aria-expanded]').click()
  await expectWords([
    [page.getByTestId('toggle-inspector'), 'name', 'Inspector'],
    [tab, 'name', 'Inspector'],
    [tab.getByTestId('tab-prompt'), 'name', 'Prompt'],
    [tab.getByTestId('prompt-round'), 'text', /^Round 1 of turn two · \d\d:\d\d:\d\d$/],
    [tab.getByTestId('prompt-size'), 'text', '5 messages · 1,202 tokens, as the provider counted'],
    [tab.getByTestId('prompt-states'), 'name', 'How it was put together'],
    [tab.getByTestId('prompt-messages'), 'name', 'Messages'],
    [instructions.locator('[aria-expanded]'), 'name', /^Instructions/],
    [instructions.getByRole('region'), 'name', 'Instructions'],
    [tab.getByTestId('show-same-messages'), 'name', 'The same 3 messages as in the round before'],
    [tab.locator('[data-new] [aria-expanded]').first(), 'name', /^assistant.*new$/],
    [tab.getByTestId('copy-prompt'), 'name', 'Copy as JSON'],
    [tab.getByTestId('previous-prompt'), 'name', 'The round before'],
    [tab.getByTestId('next-prompt'), 'name', 'The next round']
  ])
  await expect(tab.getByTestId('prompt-states').getByRole('listitem')).toHaveText([
    'Instructions 400 tokens',
    'History 7 messages · the first a summary of what came before · 2,000 tokens',
    'quiet changed nothing',
    'duration-filter 7 → 5 messages, without alarm-clock, 1,500 tokens fewer',
    'broken failed, and stood aside · 5 s',
    'Sent 5 messages · 900 tokens · without alarm-clock'
  ])
  await tab.getByTestId('previous-prompt').click()
  await expectWords([[tab.getByTestId('newest-prompt'), 'name', 'Newest']])
  await tab.getByTestId('tab-timeline').click()
  const bar = tab.locator('[data-bar^="msg_3#"]')
  await bar.focus()
  await expectWords([
    [tab.getByTestId('tab-timeline'), 'name', 'Timeline'],
    [bar, 'name', /^Model · worked · 14:04/],
    [tab.getByTestId('show-prompt'), 'name', 'Its prompt']
  ])
})

test('the words of a prompt that cannot be shown', async ({ page, statesUrl }) => {
  await showPrompts(page, statesUrl, [])
  await expectWords([[page.getByTestId('no-prompt'), 'text', 'No round has been kept yet.']])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await showPrompts(page, statesUrl, [], 'It was removed.')
  await expectWords([
    [page.getByTestId('prompt-fault'), 'part', 'The prompt could not be read: It was removed.']
  ])
})

test('the words of reading aloud, with and without voices', async ({ page, context, statesUrl }) => {
  await showState(page, statesUrl, 'parked')
  await page.getByTestId('session-menu').click()
  await expectWords([
    [page.getByTestId('session-menu'), 'name', 'More'],
    [page.getByTestId('read-aloud'), 'name', /^Read replies aloud/],
    [page.getByTestId('read-aloud'), 'part', 'this browser has no voices']
  ])
  await context.addInitScript(giveVoice)
  await page.reload()
  await page.getByTestId('session-menu').click()
  await expectWords([[page.getByTestId('read-aloud'), 'name', 'Read replies aloud']])
  await page.getByTestId('read-aloud').click()
  await page.getByTestId('session-menu').click()
  await expectWords([[page.getByTestId('stop-reading'), 'name', 'Stop reading replies aloud']])
})

test('the words of a call that another system has', async ({ page, statesUrl }) => {
  await showState(page, statesUrl, 'parked-other')
  await expectWords([[page.getByTestId('call-delivery'), 'text', 'Delivered 14:02, no reply yet.']])
})

test('the words of a system that cannot be reached, and of a wait that is cancelled', async ({
  page,
  api,
  id
}) => {
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
  await begin(page, api, id('not-reached'), agentId)
  await say(page, 'use dispatch {}')
  const trouble = 'Acme dispatcher did not accept it: no answer'
  await expectWords([
    [page.locator('[data-face]'), 'part', trouble],
    [page.getByTestId('call-delivery'), 'part', trouble],
    [page.getByTestId('call-delivery'), 'part', 'It is not tried again by itself, and stays open.']
  ])
  await page.getByTestId('toggle-inspector').click()
  const inspector = page.getByTestId('inspector')
  await inspector.getByTestId('tab-context').click()
  await expectWords([
    [inspector.getByTestId('tab-deliveries'), 'name', 'Deliveries'],
    [inspector.getByTestId('tab-context'), 'name', 'Context'],
    [inspector.getByTestId('close-inspector'), 'name', 'Close the inspector'],
    [inspector.getByTestId('still-waiting'), 'part', '“still waiting” here']
  ])
  await page.getByTestId('session-menu').click()
  await expectWords([[page.getByTestId('cancel-waits'), 'name', 'Cancel this wait']])
  await page.getByTestId('cancel-waits').click()
  await expectWords([[page.getByTestId('confirm'), 'name', 'Cancel the wait']])
  await page.getByTestId('confirm').click()
  await expectWords([[page.getByTestId('tool-call'), 'part', 'cancelled by Local owner']])
})

test('the words of a queued message', async ({ page, api, id }) => {
  await begin(page, api, id('beside'))
  await say(page, 'count to 10000')
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'running')
  await api('POST', `/api/sessions/${id('beside')}/oob`, {
    content: 'Red.',
    priority: 'high',
    sourceId: 'ci'
  })
  await expectWords([
    [page.getByTestId('queued-messages'), 'name', 'Queued messages'],
    [page.getByTestId('queued-message'), 'part', 'Before its next step'],
    [page.getByTestId('remove-queued'), 'name', 'Take this message back'],
    [page.getByTestId('stop-turn'), 'name', 'Stop']
  ])
  await page.getByTestId('stop-turn').click()
})

/** A session in which two approvals wait. */
async function openTwo(page: Page, api: Api, sessionId: string) {
  await begin(page, api, sessionId)
  for (const which of ['one', 'two']) {
    const text = `use web-fetch {"url": "https://example.com/${which}"}`
    await api('POST', `/api/sessions/${sessionId}/messages`, { text })
    // The next message is accepted once the session waits.
    await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
  }
}

test('the words of two calls that wait', async ({ page, api, id }) => {
  await openTwo(page, api, id('two'))
  await expectWords([
    [page.getByTestId('dock'), 'name', '2 things wait for you'],
    [page.getByTestId('call-position'), 'text', '1 of 2'],
    [page.getByTestId('dock').getByTestId('approve-call'), 'name', 'Fetch it'],
    [page.getByTestId('dock').getByTestId('decline-call'), 'name', 'Decline…']
  ])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectWords([[page.getByTestId('open-dock'), 'name', /2 wait for you/]])
  await page.getByTestId('open-dock').click()
  await expectWords([[page.getByRole('dialog'), 'name', '2 wait for you']])
  await page.getByTestId('approve-call').click()
  await expectWords([[page.getByRole('dialog'), 'name', '1 waits for you']])
})

test('the words of what can be done to a turn', async ({ page, api, id }) => {
  await talked(page, api, id('stem'), ['say one', 'say two'])
  const act = async (text: string, name: string) => {
    await row(page, text).first().hover()
    await row(page, text).first().getByTestId(`message-${name}`).click()
  }
  await expectWords([
    [page.getByTestId('transcript'), 'name', 'Transcript'],
    [row(page, 'say one').getByTestId('message-copy'), 'name', 'Copy message'],
    [row(page, 'say one').getByTestId('message-rerun'), 'name', 'Run again from here'],
    [row(page, 'say one').getByTestId('message-edit'), 'name', 'Edit and run again'],
    [row(page, 'say one').getByTestId('message-branch'), 'name', 'Branch into a new session'],
    [row(page, 'say one').getByTestId('message-delete'), 'name', 'Delete this turn…'],
    [page.getByTestId('message-copy').last(), 'name', 'Copy answer as Markdown']
  ])
  await act('say one', 'edit')
  await expectWords([
    [page.getByTestId('message-edit-input'), 'name', 'Edit your message'],
    [page.getByTestId('edit-effect'), 'part', 'The turn after it goes too.']
  ])
  await page.keyboard.press('Escape')
  const dialog = page.getByRole('dialog')
  await act('say one', 'rerun')
  await expectWords([
    [dialog, 'name', 'Run it again from here?'],
    [dialog, 'description', /The turn after it goes too\./],
    [dialog.getByTestId('confirm'), 'name', 'Run it again'],
    [dialog.getByTestId('dismiss'), 'name', 'Keep it']
  ])
  await dialog.getByTestId('dismiss').click()
  await say(page, demo.asksWhether('tea is fine'))
  await expect(page.getByTestId('ask-question-container')).toBeVisible()
  await act(demo.asksWhether('tea is fine'), 'delete')
  await expectWords([
    [dialog, 'name', 'Delete this turn?'],
    [dialog, 'description', /The request that waits goes too\./],
    [dialog.getByTestId('confirm'), 'name', 'Delete the turn']
  ])
  await dialog.getByTestId('dismiss').click()
  await act('say one', 'branch')
  await expectWords([
    [page.getByTestId('branched-from'), 'part', `Branched from ${id('stem')}`],
    [page.getByRole('heading', { level: 1 }), 'text', `Branch of ${id('stem')}`]
  ])
})

test('the words of sub-agents', async ({ page, api, id }) => {
  const says = await openForeman(page, api, id('foreman'))
  await says(spawns('use ask-question {"question": "Which bird?"}'))
  const below = page.getByTestId('sub-agents')
  const call = page.getByTestId('tool-call')
  await expectWords([
    [below, 'name', 'Sub-agents'],
    [page.locator('[data-face]'), 'text', 'A sub-agent waits for you'],
    [
      page.locator(`[data-session="${id('foreman')}"]`).getByTestId('session-reason'),
      'text',
      'A sub-agent waits for you'
    ],
    [call, 'part', 'waits for a sub-agent']
  ])
  await call.locator('[data-toggle]').click()
  await expectWords([
    [call.getByRole('heading'), 'text', 'Waiting for Foreman'],
    [call.getByTestId('open-sub-agent'), 'name', 'Look at what it does'],
    [call.getByTestId('cancel-wait'), 'name', 'Cancel this wait']
  ])
  await below.getByTestId('ask-question-input').fill('The robin')
  await expectWords([[below.getByTestId('ask-question-submit'), 'name', 'Send answer']])
  await below.getByTestId('ask-question-submit').click()
  await expectWords([[call.getByTestId('open-sub-agent'), 'name', 'All that it did']])
})

test('the words of a script', async ({ page, api, id }) => {
  // Without a sandbox no script asks to run.
  if ((await scriptFault()) !== undefined) {
    await page.goto('/agents/new')
    const reason = page.locator('[data-tool="zx-script"]').getByTestId('tool-unavailable')
    return expectWords([[reason, 'part', 'They are never run without a sandbox.']])
  }
  const card = await askToRun(page, api, id('scripts'), '// safe\u202e')
  await expectWords([
    [card.getByRole('heading'), 'text', 'Run a script?'],
    [card.getByTestId('script').getByRole('region'), 'name', 'Script, for 30 s at most'],
    [card.getByTestId('hidden-characters'), 'part', 'One character of it would not show'],
    [card.getByTestId('edit-call'), 'name', 'Edit…']
  ])
  await card.getByTestId('edit-call').click()
  await expectWords([
    [card.getByRole('textbox'), 'name', /The script/],
    [card.getByTestId('approve-edited'), 'name', 'Run it, edited']
  ])
  await card.getByRole('textbox').fill('console.log(6 * 7)')
  await card.getByTestId('approve-edited').click()
  const call = scriptCall(page)
  await expectWords([[call, 'part', /approved by Local owner/]])
  await call.locator('[data-toggle]').click()
  await expectWords([
    [call.locator('[data-edition="edited"]').getByRole('region'), 'name', 'Script, as edited'],
    [call.getByTestId('script-output').getByRole('region'), 'name', 'What it printed'],
    [call.getByTestId('script-end'), 'part', /^It ended with exit code 0 after/]
  ])
})

test('the words of the rules for scripts', async ({ page }) => {
  await page.goto('/settings')
  const rules = page.getByTestId('tool-rules')
  await rules.getByTestId('add-tool-rule').click()
  const rule = rules.getByTestId('tool-rule').last()
  await rule.locator('[name="tool"]').fill('zx-script')
  await expectWords([
    [rules, 'name', 'Tool rules'],
    [rules.getByTestId('add-tool-rule'), 'name', 'Add rule'],
    [rule.locator('[name="tool"]'), 'name', 'Tool'],
    [rule.getByTestId('always-asked'), 'part', 'have no effect on zx-script']
  ])
  await page.goto('/agents/new')
  await expectWords([
    [page.locator('[data-tool="zx-script"]').getByRole('combobox'), 'name', 'Approval of zx-script']
  ])
})
