import { expect, type Page, test } from '#tests/browser/test.ts'
import { openProposal } from './open-agent.ts'

type Stored = { revision: number; displayName: string; chat: object }

const dock = (page: Page) => page.getByTestId('dock')
const header = (page: Page) => page.getByTestId('agent-name')
const allow = '[data-hook="approve-call"]'
const deny = '[data-hook="decline-call"]'

test('a proposal shows its changes, new permissions first, and after its approval the page has the new revision (002-3, 002-16)', async ({
  page,
  api,
  id
}) => {
  const agentId = id('self')
  await openProposal(
    { page, api, agentId },
    { instructions: 'Be brief.\nAnd kind.', tools: [{ name: 'web-fetch', approval: 'auto' }] }
  )
  await expect(dock(page).getByRole('heading')).toContainText('As you asked')
  await expect(dock(page).getByTestId('widened')).toContainText('web-fetch')
  await expect(dock(page).getByTestId('changes')).toContainText('+ And kind.')
  await dock(page).locator(allow).press('Enter')
  await expect(header(page)).toHaveAttribute('data-revision', '2')
  await expect(dock(page)).toBeHidden()
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 2,
    chat: { instructions: 'Be brief.\nAnd kind.' }
  })
})

test('a proposal can be edited before its approval', async ({ page, api, id }) => {
  const agentId = id('edited')
  await openProposal({ page, api, agentId }, { instructions: 'Be long.' })
  await dock(page).getByTestId('edit-call').click()
  const json = dock(page).getByRole('textbox')
  await json.fill(
    (await json.inputValue())
      .replace('Be long.', 'Be kind.')
      .replace(
        /"name": "read_config"\s*\}/,
        '"name": "read_config" }, { "name": "web-fetch", "approval": "auto" }'
      )
  )
  const publish = dock(page).locator('[data-primary]')
  // New permissions do not include unchanged defaults.
  await expect(dock(page).getByTestId('widened').getByRole('listitem')).toHaveText([/web-fetch/])
  await expect(dock(page).getByTestId('changes')).toContainText('Be kind.')
  const valid = await json.inputValue()
  await json.fill(valid.replace('"name": "web-fetch"', '"name": 7'))
  await expect(json).toHaveAttribute('aria-invalid', 'true')
  await expect(publish).toBeDisabled()
  await json.fill(valid)
  await publish.click()
  await expect(header(page)).toHaveAttribute('data-revision', '2')
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 2,
    chat: { instructions: 'Be kind.' }
  })
})

test('a proposal can be declined with a reason', async ({ page, api, id }) => {
  const agentId = id('declined')
  await openProposal({ page, api, agentId }, { instructions: 'Be rude.' })
  await dock(page).locator(deny).click()
  await dock(page).getByRole('textbox').fill('Not that.')
  await dock(page).locator('[data-primary]').click()
  await expect(dock(page)).toBeHidden()
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 1,
    chat: { instructions: 'Be brief.' }
  })
})

test('a proposal that is approved after another publication publishes nothing, and the agent receives the reason', async ({
  page,
  api,
  id
}) => {
  const agentId = id('late')
  const config = await openProposal({ page, api, agentId }, { instructions: 'Be late.' })
  await api('PUT', `/api/agents/${agentId}`, { ...config, displayName: 'Renamed' })
  await expect(dock(page).getByTestId('stale-proposal')).toBeVisible()
  await dock(page).locator(allow).click()
  await expect(page.getByTestId('transcript')).toContainText('409')
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 2,
    displayName: 'Renamed',
    chat: { instructions: 'Be brief.' }
  })
})
