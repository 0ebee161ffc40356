import { test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { expectReadOnly } from './expect-read-only.ts'
import { followPeople, type Place, startPeople } from './people-scenario.ts'

const checked = new Set<Place>([
  'sign-in',
  'claim',
  'join',
  'declined',
  'people',
  'people-viewer',
  'stranger',
  'over'
])

test('the first owner claims the server and invites a user, who joins, becomes a viewer and is removed, on accessible pages', async ({
  browser
}) => {
  test.slow()
  // A server can be claimed only once, so each run starts its own.
  const people = await startPeople()
  try {
    await followPeople(people, browser, (place, page) =>
      test.step(place, async () => {
        if (checked.has(place)) await expectAccessible(page)
        if (place === 'people-viewer') await expectReadOnly(page, people.server)
        await page.setViewportSize({ width: 1280, height: 844 })
      })
    )
  } finally {
    await people.stop()
  }
})
