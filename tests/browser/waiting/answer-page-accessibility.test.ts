import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { expect, test } from './answer-page.ts'

test('the answer page is accessible and never scrolls sideways, for an approval and for a question', async ({
  page,
  links
}) => {
  const approval = `use web-fetch {"url": "https://example.com/${'long/'.repeat(60)}"}`
  const question = demo.askToChoose('tea', 'coffee', 'a glass of water from the tap')
  for (const [name, text] of Object.entries({ approval, question })) {
    await page.goto(await links.ask(name, text))
    await expect(page.getByRole('button')).toHaveCount(2)
    await expectAccessible(page)
  }
})
