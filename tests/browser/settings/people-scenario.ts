import type { Browser, Page } from '@playwright/test'
import { startServerOnCopy } from '#tests/browser/start-worker-server.ts'
import { expect } from '#tests/browser/test.ts'
import { startFakeOidc } from '#tests/support/fakes/fake-oidc.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'

export type People = { server: ServerProcess; stop(): Promise<void> }

/** Starts a server without an owner, and a provider where two users can sign in. */
export async function startPeople(): Promise<People> {
  const oidc = await startFakeOidc([
    { account: '1', name: 'Ada Lovelace', login: 'ada' },
    { account: '2', name: 'Bob', login: 'bob@a-rather-long-company-name.example' }
  ])
  const server = await startServerOnCopy({
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    AUTH_ACME_ID: oidc.clientId,
    AUTH_ACME_SECRET: oidc.clientSecret,
    AUTH_ACME_ISSUER: oidc.url
  })
  return {
    server,
    async stop() {
      await server.stop()
      await oidc.stop()
    }
  }
}

/** The pages that the scenario passes. */
export type Place =
  | 'sign-in'
  | 'claim'
  | 'join'
  | 'declined'
  | 'invited'
  | 'people'
  | 'revoked'
  | 'only-owner'
  | 'changed'
  | 'people-viewer'
  | 'removing'
  | 'stranger'
  | 'over'

type Visit = (place: Place, page: Page) => Promise<void>

/**
 * Ada claims the server and invites Bob, who joins, becomes a viewer and is removed. Calls `visit` with each page on
 * the way. Expects no error in either browser.
 */
export async function followPeople(
  { server }: People,
  browser: Browser,
  visit: Visit = async () => undefined
) {
  const errors: string[] = []
  /** Opens a separate browser context for one user. */
  const openBrowser = async () => {
    const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
    context.on('weberror', ({ error }) => void errors.push(String(error())))
    context.on('console', message => {
      const text = message.text()
      if (message.type() === 'error' && !text.startsWith('Failed to load resource')) errors.push(text)
    })
    return context.newPage()
  }
  const [ada, bob] = [await openBrowser(), await openBrowser()]
  await ada.goto('/sign-in')
  await expect(ada.getByTestId('continue-with-acme')).toBeVisible()
  await visit('sign-in', ada)

  await ada.goto(server.readyLine.split(': ').at(-1) ?? '')
  await ada.getByTestId('continue-with-acme').press('Enter')
  await ada.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(ada.getByTestId('signed-in-as')).toContainText('Ada Lovelace (ada)')
  await visit('claim', ada)
  await ada.getByTestId('claim-server').press('Enter')
  await ada.waitForURL(/\/sessions$/)

  await ada.goto('/settings/people')
  const people = ada.getByTestId('people')
  await expect(ada.getByTestId('sign-in-setup')).toHaveCount(0)
  await people.getByTestId('invite-person').click()
  await ada.getByRole('dialog').locator('[name=role][value=operator]').check()
  await ada.getByTestId('create-invite').click()
  const secret = people.getByTestId('secret')
  await expect(secret).toHaveText(/\/join\/[\w-]{43}$/)
  const link = (await secret.textContent()) ?? ''
  const invites = people.getByTestId('invites')
  await expect(invites.getByRole('listitem')).toHaveText([/operator/])
  await visit('invited', ada)

  await bob.goto(link)
  await expect(bob.getByTestId('invitation')).toContainText('Ada Lovelace')
  await expect(bob.getByTestId('invitation')).toContainText('operator')
  await visit('join', bob)
  await bob.getByTestId('continue-with-acme').click()
  await bob.getByRole('link', { name: 'Decline' }).click()
  await expect(bob.getByTestId('sign-in-error')).toHaveAttribute('data-error', 'denied')
  await visit('declined', bob)
  await bob.getByTestId('continue-with-acme').click()
  await bob.getByRole('link', { name: 'Bob' }).click()
  await expect(bob).toHaveURL(link)
  await bob.getByTestId('join-workspace').click()
  await bob.waitForURL(/\/sessions$/)

  const created = await bob.request.post('/api/plugins/sessions/operations/create', {
    headers: { authorization: `Bearer ${server.apiKey}` },
    data: { agentId: 'guide', sessionId: 'shared', title: 'Shared' }
  })
  expect(created.status()).toBe(201)
  await bob.goto('/sessions/shared')
  await bob.locator('[data-composer]').fill('say hello to all')
  await bob.keyboard.press('Enter')
  await expect(bob.getByText('hello to all', { exact: true })).toBeVisible()
  await bob.goto('/agents')
  await expect(bob.getByRole('heading', { level: 1 })).toBeAttached()
  await expect(bob.getByTestId('create-agent')).toHaveCount(0)

  await ada.reload()
  const row = people.getByTestId('members').getByRole('listitem').filter({ hasText: 'Bob' })
  await expect(row).toContainText('bob@a-rather-long-company-name.example (acme)')
  await expect(invites).toHaveCount(0)
  await people.getByTestId('invite-person').click()
  await ada.getByTestId('create-invite').click()
  await expect(secret).toHaveText(/\/join\/[\w-]{43}$/)
  await people.scrollIntoViewIfNeeded()
  await visit('people', ada)
  await people.getByTestId('revoke-invite').click()
  await expect(invites).toHaveCount(0)
  await visit('revoked', ada)
  const ownRole = people.getByRole('listitem').filter({ hasText: 'Ada Lovelace' }).getByTestId('member-role')
  await ownRole.selectOption('viewer')
  await expect(people.getByTestId('people-error')).not.toBeEmpty()
  await expect(ownRole).toHaveValue('owner')
  await visit('only-owner', ada)

  await row.getByTestId('member-role').selectOption('viewer')
  await expect(people.getByTestId('people-outcome')).toContainText('Bob')
  await visit('changed', ada)
  await bob.goto('/sessions/shared')
  await expect(bob.getByText('hello to all', { exact: true })).toBeVisible()
  await expect(bob.locator('[data-composer]')).toHaveCount(0)
  await bob.goto('/settings/people')
  const bobsView = bob.getByTestId('people')
  await expect(bobsView.getByTestId('members')).toBeVisible()
  await expect(bobsView.getByRole('combobox')).toHaveCount(0)
  await visit('people-viewer', bob)

  await row.getByTestId('remove-member').click()
  await visit('removing', ada)
  await ada.getByTestId('confirm').click()
  // The dialog hides the rows while it is open.
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(row).toHaveCount(0)
  await bob.goto('/sessions/shared')
  await bob.getByTestId('continue-with-acme').click()
  await bob.getByRole('link', { name: 'Bob' }).click()
  await expect(bob.getByTestId('not-a-member')).toBeVisible()
  await visit('stranger', bob)
  await bob.goto(link)
  await expect(bob.getByTestId('closed-door')).toBeVisible()
  await visit('over', bob)
  await bob.goto('/sign-in')
  await bob.getByTestId('use-another-account').click()
  await expect(bob.getByTestId('continue-with-acme')).toBeVisible()
  for (const page of [ada, bob]) await page.context().close()
  expect(errors).toEqual([])
}
