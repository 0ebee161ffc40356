import { test } from '#tests/browser/test.ts'
import { type People, startPeople, walkPeople } from './people-story.ts'

// A server is claimed once: each run of this story starts its own.
let people: People
test.beforeAll(async () => {
  people = await startPeople()
})
test.afterAll(() => people.stop())

test('the first owner claims the server and invites a person, who joins, is made a viewer and is removed', async ({
  browser
}) => {
  test.slow()
  await walkPeople(people, browser)
})
