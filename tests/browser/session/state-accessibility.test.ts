import { scriptError } from '@waystation/sandbox'
import { type StateName, states } from '#tests/browser/fixtures/states.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { openForeman, spawnMessage } from './foreman.ts'
import { requestScript, scriptCall } from './request-script.ts'
import { showState } from './show-state.ts'
import { row, startConversation } from './start-conversation.ts'
import { showPrompts } from './stored-prompts.ts'
import { expect, test } from './test.ts'

for (const name of Object.keys(states) as StateName[])
  test(`a session in the state ${name} is accessible and never scrolls sideways`, async ({
    page,
    statesUrl
  }) => {
    await showState(page, statesUrl, name)
    await expectAccessible(page)
  })

test('the prompt of a step is accessible and never scrolls sideways', async ({ page, statesUrl }) => {
  await showPrompts(page, statesUrl)
  const instructions = page.locator('[data-part="instructions"]')
  await instructions.locator('[aria-expanded]').click()
  await expect(instructions.getByRole('region')).toBeVisible()
  await expectAccessible(page)
})

test('a session with running and asking sub-agents is accessible and never scrolls sideways', async ({
  page,
  api,
  id
}) => {
  const sendMessage = await openForeman(page, api, id('foreman'))
  await sendMessage(
    `${spawnMessage('use ask-question {"question": "Which bird?"}')}\n${spawnMessage('count to 3000')}`
  )
  const subAgents = page.getByTestId('sub-agents')
  await expect(subAgents.locator('[data-sub-agent]')).toHaveCount(2)
  await expect(subAgents.locator('[data-call]')).toBeVisible()
  await expectAccessible(page)
})

test('an edited message is accessible and never scrolls sideways', async ({ page, api, id }) => {
  await startConversation(page, api, id('edited'), ['say one'])
  await row(page, 'say one').hover()
  await row(page, 'say one').getByTestId('message-edit').click()
  await expect(page.getByTestId('message-edit-input')).toBeFocused()
  await expectAccessible(page)
})

test('a script is accessible and never scrolls sideways, before it runs and with its result', async ({
  page,
  api,
  id
}) => {
  // Without a sandbox, no script asks for approval.
  if ((await scriptError()) !== undefined) return
  const card = await requestScript(page, api, id('scripts'), '// safe\u202e\nconsole.log(6 * 7)\n')
  await expect(card.getByTestId('hidden-characters')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 844 })
  await card.getByTestId('approve-call').click()
  await scriptCall(page).locator('[data-toggle]').click()
  await expect(scriptCall(page).getByTestId('script-end')).toBeVisible()
  await expectAccessible(page)
})
