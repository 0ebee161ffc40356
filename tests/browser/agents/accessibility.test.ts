import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible, expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import { addTool, isDraftSaved, openAgent, openProposal, openSection, startSession } from './open-agent.ts'

type Context = { page: Page; api: Api; agentId: string }

const long = `${'A rather long line of instructions. '.repeat(12)}\nSecond.`

/** Opens an agent whose draft differs from its second revision in long instructions and a tool. */
async function openDraft({ page, api, agentId }: Context) {
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const chat = { instructions: long }
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Looked at', chat })
  await page.reload()
  await page.locator('[name="chat.instructions"]').fill(`${long}\nThird.`)
  await openSection(page, 'tools')
  await addTool(page, 'client-info')
  await isDraftSaved(page)
}

async function openConfig({ page, api, agentId }: Context) {
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}?inspect=config`)
}

const greeting = { kind: 'skill', name: 'Greet', data: { parameters: { text: long } } }

/** Opens an own entry in its second version, which an agent uses in its first. */
async function openEntry({ page, api, agentId: slug }: Context) {
  await api('POST', '/api/catalogue', { slug, ...greeting })
  const embed = {
    '@ag.references': { workflow: { slug, version: 'v1' } },
    '@ag.selector': { path: 'parameters' }
  }
  await api('POST', '/api/agents', {
    agentId: slug,
    displayName: 'Greeter',
    chat: { skills: [{ '@ag.embed': embed }] }
  })
  await api('PUT', `/api/catalogue/${slug}`, greeting)
  await page.goto(`/catalogue/${slug}`)
  await expect(page.getByTestId('entry-users')).toContainText('v1')
}

const proposal = { instructions: `${long}\nThird.`, tools: [{ name: 'web-fetch' }] }

const states: Record<string, (context: Context) => Promise<void>> = {
  'the list of agents': async ({ page }) => void (await page.goto('/agents')),
  'the agent that every workspace has': async ({ page }) => void (await page.goto('/agents/guide')),
  'the catalog': async ({ page, api, agentId: slug }) => {
    await api('POST', '/api/catalogue', { slug, ...greeting })
    await page.goto('/catalogue')
    await page.getByTestId('search-catalogue').fill(slug)
    await expect(page.getByTestId('catalogue').getByRole('listitem')).toHaveCount(1)
  },
  'a built-in tool of the catalog': async ({ page }) => void (await page.goto('/catalogue/web-fetch')),
  'an own entry of the catalog': async context => {
    await openEntry(context)
    await context.page.getByTestId('add-to-agent').click()
  },
  'the JSON of a new entry': async ({ page }) => {
    await page.goto('/catalogue/new')
    await page.getByTestId('save').click()
    await expect(page.getByTestId('field-error')).not.toHaveCount(0)
    await page.getByTestId('tab-json').click()
  },
  'the explanation of the build kit': async context => {
    await openConfig(context)
    await context.page.getByTestId('kit-chip').click()
    await expect(context.page.getByRole('dialog')).toBeVisible()
  },
  ...Object.fromEntries(
    ['tools', 'approvals', 'limits', 'json'].map(section => [
      `the section ${section} of an agent`,
      async ({ page }: Context) => void (await page.goto(`/agents/guide?section=${section}`))
    ])
  ),
  'the form of a new agent': async ({ page }) => void (await page.goto('/agents/new')),
  'a draft, compared': async context => {
    await openDraft(context)
    const { page } = context
    const history = page.getByTestId('revisions')
    await openSection(page, 'versions')
    await history.locator('[data-revision="draft"]').getByTestId('show-changes').click()
    await expect(history.getByTestId('changes')).toBeVisible()
    // After the draft is saved again, it is compared again.
    await openSection(page, 'setup')
    await page.locator('[name="chat.instructions"]').fill(`${long}\nFourth.`)
    await openSection(page, 'versions')
    await expect(history.getByTestId('changes')).toContainText('+ Fourth.')
    await history.scrollIntoViewIfNeeded()
  },
  'what publishing changes': async context => {
    await openDraft(context)
    await context.page.getByTestId('review-draft').click()
    await expect(context.page.getByRole('dialog').getByTestId('widened')).toContainText('client-info')
  },
  'a session that is pinned': async context => {
    await openConfig(context)
    await context.page.getByTestId('pin-session').click()
    await expect(context.page.getByTestId('unpin-session')).toBeVisible()
  },
  'a session with the build kit': async context => {
    await openConfig(context)
    await context.page.getByTestId('build-kit').check()
    await expect(context.page.getByTestId('agent-name')).toHaveAttribute('data-overlaid', 'true')
  },
  'a proposal of an agent for itself': async context => {
    await openProposal(context, proposal, 'Longer.')
    await expect(context.page.getByTestId('changes').last()).toContainText('+ Third.')
  }
}

for (const [name, open] of Object.entries(states))
  test(`${name} is accessible and never scrolls sideways`, async ({ page, api, id }) => {
    await open({ page, api, agentId: id('looks') })
    // While a page streams in, it also has the heading of its loading state for a moment.
    await expect(page.locator('h1').first()).toBeAttached()
    await expectAccessible(page)
  })

test.describe('a small screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('the sheet with a proposal is accessible and never scrolls sideways', async ({ page, api, id }) => {
    await openProposal({ page, api, agentId: id('looks') }, proposal, 'Longer.')
    await page.getByTestId('open-dock').click()
    await expect(page.getByRole('dialog').getByTestId('changes')).toContainText('+ Third.')
    await expectAccessibleNow(page)
  })
})
