import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { detail, expect, openWaiting, row, test } from './test.ts'

test('the page of pending requests with an open card is accessible and never scrolls sideways', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  await waiting.startSession('acme', 'use dispatch {"order": "oil"}', desk)
  await openWaiting(page)
  await row(page, 'question').locator('[data-waits]').click()
  await expect(detail(page).getByTestId('ask-question-option-0')).toBeVisible()
  await expectAccessible(page)
})
