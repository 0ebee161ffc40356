import { test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/browser/looks-well.ts'
import { type Place, startPeople, walkPeople } from './people-story.ts'

const looked = new Set<Place>([
  'sign-in',
  'claim',
  'join',
  'declined',
  'people',
  'people-viewer',
  'stranger',
  'over'
])

test('each page on the way into a workspace, and out of it, looks well', async ({ browser }) => {
  test.slow()
  const people = await startPeople()
  try {
    await walkPeople(people, browser, (place, page) =>
      test.step(place, async () => {
        if (looked.has(place)) await looksWell(page)
        await page.setViewportSize({ width: 1280, height: 844 })
      })
    )
  } finally {
    await people.stop()
  }
})

test('a tool rule that cannot be used looks well', async ({ page }) => {
  await page.goto('/settings')
  const section = page.getByTestId('tool-rules')
  await section.getByTestId('add-tool-rule').click()
  await section.locator('[name="deny"]').fill('(?=a)')
  await section.getByTestId('save').click()
  await section.getByTestId('field-error').waitFor()
  await looksWell(page)
})
