import type { Locator } from '@playwright/test'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { followPeople, type Place, startPeople } from './people-scenario.ts'

type Texts = (page: Page) => readonly (readonly [at: Locator, text: string | RegExp])[]

const people = (page: Page) => page.getByTestId('people')

/** The expected texts on each page. */
const texts: Partial<Record<Place, Texts>> = {
  'sign-in': page => [[page.getByTestId('continue-with-acme'), 'Continue with Acme']],
  claim: page => [
    [page.getByRole('heading', { level: 1 }), 'Become the first owner'],
    [page.getByTestId('signed-in-as'), 'Signed in as Ada Lovelace (ada).'],
    [page.getByTestId('claim-server'), 'Become owner'],
    [page.getByTestId('use-another-account'), 'Use another account']
  ],
  invited: page => [
    [people(page).getByTestId('invite-person'), 'Invite person'],
    [people(page).getByTestId('invites'), /^Invite link for one operator/]
  ],
  join: page => [[page.getByTestId('invitation'), /^Ada Lovelace invites you to join as operator\./]],
  declined: page => [
    [page.getByTestId('sign-in-error'), /^Sign-in was canceled or denied by the provider\./]
  ],
  people: page => [
    [people(page).getByTestId('revoke-invite'), 'Revoke'],
    [people(page).getByTestId('remove-member'), 'Remove…']
  ],
  revoked: page => [[people(page).getByTestId('people-outcome'), 'The invite link no longer works.']],
  'only-owner': page => [
    [people(page).getByTestId('people-error'), /^Ada Lovelace is the only owner of this workspace\./]
  ],
  changed: page => [[people(page).getByTestId('people-outcome'), 'Bob is now viewer.']],
  'people-viewer': page => [[people(page), /Only owners can invite people and change roles\./]],
  removing: page => [
    [page.getByRole('dialog'), /Their messages stay\./],
    [page.getByTestId('confirm'), 'Remove member']
  ],
  stranger: page => [
    [page.getByTestId('not-a-member'), /^You're not a member of any workspace on this server\./]
  ],
  over: page => [[page.getByRole('heading', { level: 1 }), 'This link no longer works']]
}

test('texts for inviting, joining and removing members', async ({ browser }) => {
  test.slow()
  const server = await startPeople()
  try {
    await followPeople(server, browser, (place, page) =>
      test.step(place, async () => {
        for (const [locator, text] of texts[place]?.(page) ?? []) await expect(locator).toHaveText(text)
        if (place !== 'people') return
        await expect(people(page)).toHaveAccessibleName('People')
        const bob = people(page).getByRole('listitem').filter({ hasText: 'Bob' })
        await expect(bob.getByTestId('member-role')).toHaveAccessibleName('Role of Bob')
        await expect(bob.getByTestId('remove-member')).toHaveAccessibleName('Remove Bob…')
      })
    )
  } finally {
    await server.stop()
  }
})

test('texts of the retention setting', async ({ page, api }) => {
  await api('PUT', '/api/workspace', { retentionDays: null })
  await page.goto('/settings/retention')
  const section = page.getByTestId('retention')
  const days = section.locator('[name="retentionDays"]')
  const save = section.getByTestId('save')
  await expect(section).toHaveAccessibleName('Retention')
  await expect(days).toHaveAccessibleName('Delete after (days without activity)')
  await days.fill('a month')
  await expect(save).toHaveText('Save changes')
  await save.click()
  await expect(section.getByTestId('field-error')).toHaveText('Must be a whole number of days, like 30.')
  await days.fill('9999')
  await save.click()
  await expect(section.getByTestId('field-error')).toHaveText('Must be at most 3650 days.')
  await days.fill('30')
  await save.click()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Store sessions for 30 days?')
  await expect(page.getByTestId('confirm')).toHaveText('Delete older sessions')
  await expect(page.getByTestId('dismiss')).toHaveText('Cancel')
  await page.getByTestId('confirm').click()
  await expect(section.getByTestId('outcome')).toHaveText('Saved.')
  await api('PUT', '/api/workspace', { retentionDays: null })
})

test('texts of the default expiry of out-of-band messages', async ({ page, api }) => {
  await api('PUT', '/api/workspace', { outOfBand: {} })
  await page.goto('/settings/signals')
  const section = page.getByTestId('out-of-band-defaults')
  const seconds = section.locator('[name="outOfBand.ttlSeconds"]')
  const save = section.getByTestId('save')
  await expect(section).toHaveAccessibleName('Signals')
  await expect(seconds).toHaveAccessibleName('Expire after')
  await seconds.fill('an hour')
  await save.click()
  await expect(section.getByTestId('field-error')).toHaveText('Must be a whole number of seconds, like 3600.')
  await seconds.fill('2592001')
  await save.click()
  await expect(section.getByTestId('field-error')).toHaveText('Must be at most 2592000 seconds (30 days).')
})

test('texts for rotating the link secret', async ({ page }) => {
  // Other tests use links of this server, so the rotation is only simulated.
  await page.route('**/api/workspace/link-secret/rotate', route =>
    route.fulfill({ json: { rotatedAt: '2026-01-01T00:00:00.000Z' } })
  )
  await page.goto('/settings/general')
  const section = page.getByTestId('link-secret')
  const dialog = page.getByRole('dialog')
  await expect(section).toHaveAccessibleName('Rotate link secret')
  await expect(section).toContainText('signs answer links, answer pages and callback links')
  await expect(section.getByTestId('rotate-link-secret')).toHaveText('Rotate secret…')
  await section.getByTestId('rotate-link-secret').click()
  await expect(dialog).toHaveAccessibleName('Rotate the link secret?')
  await expect(dialog).toContainText('callback links sent so far stop working.')
  await expect(dialog).toContainText('Pending calls stay open, and you can answer them in their sessions.')
  await expect(dialog).toContainText('get a new callback link with their next message.')
  await expect(dialog.getByTestId('dismiss')).toHaveText('Cancel')
  await expect(dialog.getByTestId('confirm')).toHaveText('Rotate secret')
  await dialog.getByTestId('confirm').click()
  await expect(section.getByTestId('outcome')).toHaveText(
    'Link secret rotated. Earlier links no longer work.'
  )
})

test('labels of the session menu and its export', async ({ page, api, id }) => {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId: id('words') })
  await page.goto(`/sessions/${id('words')}`)
  await expect(page.getByTestId('session-menu')).toHaveAccessibleName('More actions')
  await page.getByTestId('session-menu').click()
  await expect(page.getByTestId('export-session')).toHaveText(/^Export session…/)
})
