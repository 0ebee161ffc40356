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

test('the first owner claims the server and invites a person, who joins, is made a viewer and is removed; each page looks well', async ({
  browser
}) => {
  test.slow()
  // A server is claimed once: each run of this story starts its own.
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
