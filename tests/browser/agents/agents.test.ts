import { expect, type Page, test } from '#tests/browser/test.ts'
import { isPublished, publishAgent } from '#tests/support/servers/publish-agent.ts'
import { isDraftSaved, openAgent, openSection, startSession } from './open-agent.ts'

type Stored = { revision: number; chat: object }

const instructions = (page: Page) => page.locator('[name="chat.instructions"]')
const description = (page: Page) => page.locator('input[name="description"]')
const history = (page: Page) => page.getByTestId('revisions')
const header = (page: Page) => page.getByTestId('agent-name')

test('001-14: the method of tool calling is selected under the model and grants no further permissions', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const toolCalling = page.getByTestId('tool-calling')
  await expect(toolCalling).toHaveValue('native')
  await toolCalling.selectOption('text')
  await page.getByTestId('review-draft').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('changes').getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByTestId('widened')).toHaveCount(0)
  await dialog.getByTestId('publish-revision').click()
  await isPublished(page, 2)
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({ chat: { toolCalling: 'text' } })
  await page.reload()
  await expect(toolCalling).toHaveValue('text')
})

test('an edit is stored as a draft across a reload, and published with a note after a review of its changes', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  await expect(page.getByTestId('review-draft')).toBeDisabled()
  await instructions(page).fill('Be brief.\nAnd kind.')
  await openSection(page, 'tools')
  await page.locator('[data-tool="web-fetch"]').getByRole('combobox').selectOption('auto')
  await isDraftSaved(page)
  await page.reload()
  await isDraftSaved(page)
  await expect(instructions(page)).toHaveValue('Be brief.\nAnd kind.')
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 1,
    chat: { instructions: 'Be brief.' }
  })

  await page.getByTestId('review-draft').press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('widened').getByRole('listitem')).toHaveText([/web-fetch/])
  await expect(dialog.getByTestId('changes')).toContainText('web-fetch')
  await expect(dialog.getByTestId('changes')).toContainText('+ And kind.')
  await dialog.locator('[name="note"]').fill('Kinder, and faster.')
  await page.keyboard.press('Enter')
  await isPublished(page, 2)
  await expect(history(page)).toContainText('Kinder, and faster.')
  await expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'published')
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 2,
    chat: { tools: [{ approval: 'auto' }] }
  })
})

test('required fields that are empty show their errors, and the first one gets the focus', async ({
  page,
  id
}) => {
  const name = page.locator('[name="displayName"]')
  const agentId = page.locator('[name="agentId"]')
  await page.goto('/agents/new')
  await page.getByTestId('create-agent').click()
  await expect(name).toBeFocused()
  for (const field of [name, agentId]) {
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/./)
  }
  await name.fill('Clerk')
  await expect(name).toHaveAttribute('aria-invalid', 'false')
  await agentId.fill(id('with spaces'))
  await expect(agentId).toHaveAttribute('aria-invalid', 'true')
})

test('a value that is not valid stays in the browser with its error, also after a reload, and nothing is saved', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const steps = page.locator('[name="chat.limits.stepsPerTurn"]')
  await openSection(page, 'limits')
  await steps.fill('many')
  await openSection(page, 'setup')
  await instructions(page).fill('Be kind.')
  await expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'refused')
  await page.reload()
  await expect(instructions(page)).toHaveValue('Be kind.')
  await page.getByTestId('review-draft').click()
  await expect(steps).toBeFocused()
  await expect(steps).toHaveAttribute('aria-invalid', 'true')
  await expect(steps).toHaveValue('many')
  await expect(page.getByTestId('draft-outcome')).toHaveAttribute('data-failed', 'true')
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({ draft: null })
  await steps.fill('12')
  await isDraftSaved(page)
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({
    draft: { config: { chat: { instructions: 'Be kind.', limits: { stepsPerTurn: 12 } } } }
  })
})

test('a draft is discarded only after a confirmation, and the form shows the published revision again', async ({
  page,
  api,
  id
}) => {
  await openAgent({ page, api, agentId: id('agent') })
  await instructions(page).fill('Never mind.')
  await isDraftSaved(page)
  await page.getByTestId('discard-draft').click()
  await page.keyboard.press('Escape')
  await expect(instructions(page)).toHaveValue('Never mind.')
  await page.getByTestId('discard-draft').click()
  await page.getByTestId('confirm').click()
  await expect(instructions(page)).toHaveValue('Be brief.')
  await expect(page.getByTestId('review-draft')).toBeDisabled()
})

test('if two windows edit an agent, the second learns of the draft of the first and overwrites nothing', async ({
  page,
  context,
  api,
  id
}) => {
  await context.clock.install()
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const second = await context.newPage()
  await second.goto(`/agents/${agentId}`)
  // The clock does not run, so each window saves when its field loses the focus.
  await description(second).fill('Second window.')
  await instructions(page).fill('First window.')
  await instructions(page).blur()
  await isDraftSaved(page)
  await description(second).blur()
  await expect(second.getByTestId('other-draft')).toHaveAttribute('data-changed', 'true')
  await expect(second.getByTestId('draft-state')).toHaveAttribute('data-state', 'held')
  await second.getByTestId('load-draft').click()
  await expect(instructions(second)).toHaveValue('First window.')
  await expect(description(second)).toHaveValue('')
  await publishAgent(second, 2)
  // The first window had no changes other than those that are now published.
  await context.clock.runFor(3000)
  await expect(history(page).locator('[data-revision="2"]')).toBeAttached()
  await expect(page.getByTestId('other-draft')).toHaveCount(0)
})

test('a user can save their changes over the draft of another window after seeing the differences', async ({
  page,
  api,
  id
}) => {
  await page.clock.install()
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await description(page).fill('Mine.')
  const config = { agentId, displayName: 'Agent', chat: { instructions: 'Theirs.' } }
  await api('PUT', `/api/agents/${agentId}/draft`, { config, base: 1, version: 0 })
  await description(page).blur()
  await page.getByTestId('replace-draft').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('changes').getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByTestId('changes')).toContainText('Theirs.')
  await dialog.getByTestId('confirm').click()
  await expect(page.getByTestId('other-draft')).toHaveCount(0)
  await expect(description(page)).toHaveValue('Mine.')
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({
    version: 2,
    draft: { config: { description: 'Mine.', chat: { instructions: 'Be brief.' } } }
  })

  await description(page).fill('Still mine.')
  await api('DELETE', `/api/agents/${agentId}/draft`)
  await description(page).blur()
  await page.getByTestId('keep-changes').click()
  await expect(page.getByTestId('other-draft')).toHaveCount(0)
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({
    version: 4,
    draft: { config: { description: 'Still mine.' } }
  })
})

test('an edit is saved although the user leaves the page at once, and is there when they come back', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await instructions(page).fill('Not lost.')
  await page.getByTestId('sidebar').locator('a[href="/wikis"]').click()
  await page.waitForURL('**/wikis')
  await expect
    .poll(() => api('GET', `/api/agents/${agentId}/draft`))
    .toMatchObject({ draft: { config: { chat: { instructions: 'Not lost.' } } } })
  await page.goBack()
  await expect(instructions(page)).toHaveValue('Not lost.')
  await isDraftSaved(page)
})

test('while the server does not respond, edits stay in the browser, and are saved once it does', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await page.route('**/draft', route =>
    route.request().method() === 'PUT' ? route.abort() : route.continue()
  )
  await instructions(page).fill('Later.')
  await expect(page.getByTestId('draft-state')).toHaveAttribute('data-state', 'failed')
  await page.unroute('**/draft')
  await isDraftSaved(page)
  expect(await api('GET', `/api/agents/${agentId}/draft`)).toMatchObject({
    draft: { config: { chat: { instructions: 'Later.' } } }
  })
})

test('a model that no provider offers is refused when it is published, at its field', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const model = page.getByRole('combobox', { name: /^Model/ })
  await model.click()
  await page.keyboard.type('nope/gpt-9')
  await page.keyboard.press('Enter')
  await page.getByTestId('review-draft').click()
  await page.getByTestId('publish-revision').click()
  await expect(model).toHaveAttribute('aria-invalid', 'true')
  await expect(model).toBeFocused()
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({ revision: 1 })
})

test('the ID of a new agent is made from its name until the user edits it', async ({ page, api, id }) => {
  const unique = id('clerk')
  await page.goto('/agents/new')
  const name = page.locator('[name="displayName"]')
  const agentId = page.locator('[name="agentId"]')
  await name.fill('Café Clerk (2)')
  await expect(agentId).toHaveValue('cafe-clerk-2')
  await expect(agentId).toBeHidden()
  await page.getByTestId('agent-id-details').locator('summary').click()
  await agentId.fill(unique)
  await name.fill('Another name')
  await expect(agentId).toHaveValue(unique)
  await page.getByTestId('create-agent').click()
  await page.waitForURL(`**/agents/${unique}`)
  expect(await api<Stored>('GET', `/api/agents/${unique}`)).toMatchObject({ displayName: 'Another name' })
})

test('a page without changes shows a newly published revision', async ({ page, api, id }) => {
  await page.clock.install()
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const chat = { instructions: 'Theirs.' }
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Theirs', chat })
  await page.clock.runFor(3000)
  await expect(instructions(page)).toHaveValue('Theirs.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Theirs')
})

test('the review of a draft warns of an agent that does not exist, and the draft can still be published', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const chat = { instructions: 'Be brief.', handoffs: [id('gone')] }
  const config = { agentId, displayName: 'Agent', chat }
  await api('PUT', `/api/agents/${agentId}/draft`, { config, base: 1 })
  await page.reload()
  await page.getByTestId('review-draft').click()
  const warnings = page.getByRole('dialog').getByTestId('warnings')
  await expect(warnings.locator('[data-field="chat.handoffs.0"]')).toContainText(chat.handoffs[0] ?? '')
  await page.getByTestId('publish-revision').click()
  await isPublished(page, 2)
})

test('any two revisions can be compared, and an earlier one can be restored as a new one', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  for (const instructions of ['Two.', 'Three.'])
    await api('PUT', `/api/agents/${agentId}`, {
      agentId,
      displayName: 'Compared',
      chat: { instructions }
    })
  await page.goto(`/agents/${agentId}?section=versions`)
  await history(page).locator('[data-revision="3"]').getByTestId('show-changes').click()
  await expect(history(page).getByTestId('changes')).toContainText('Two.→Three.')
  await page.getByTestId('compare-from').selectOption('1')
  await expect(history(page).getByTestId('changes')).toContainText('Be brief.→Three.')

  await history(page).locator('[data-revision="1"]').getByTestId('restore-revision').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('changes')).toContainText('Three.→Be brief.')
  await dialog.getByTestId('confirm').click()
  await isPublished(page, 4)
  await expect(history(page).locator('[data-revision="4"]')).toHaveAttribute('data-source', 'restore')
  await expect(instructions(page)).toHaveValue('Be brief.')
})

test('a session shows its revision, can be pinned to one, and returns to the published one', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'ask-question' }] } })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}?inspect=config`)
  await expect(header(page)).toHaveAttribute('data-revision', '1')
  await expect(header(page)).not.toHaveAttribute('data-pinned')
  const pin = page.getByTestId('pin')
  await pin.getByTestId('pin-revision').fill('7')
  await pin.getByTestId('pin-session').click()
  await expect(pin.getByRole('alert')).toContainText(`"${agentId}"`)
  await pin.getByTestId('pin-revision').fill('1')
  await pin.getByTestId('pin-session').press('Enter')
  await expect(header(page)).toHaveAttribute('data-pinned', 'true')
  const chat = { instructions: 'The newer one.' }
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Newer', chat })
  await page.reload()
  await expect(header(page)).toHaveAttribute('data-revision', '1')
  await expect(header(page)).toHaveAttribute('data-pinned', 'true')
  await expect(pin.getByTestId('pin-state')).toHaveAttribute('data-published', '2')
  await expect(page.getByText('"instructions": "Be brief."')).toBeVisible()
  await pin.getByTestId('unpin-session').click()
  await expect(header(page)).toHaveAttribute('data-revision', '2')
  await expect(page.getByText('"instructions": "The newer one."')).toBeVisible()
})

test('the build kit is applied to one session by keyboard, and every open page of it shows that (002-8)', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}?inspect=config`)
  const kit = page.getByTestId('build-kit')
  await expect(kit).not.toBeChecked()
  const other = await page.context().newPage()
  await other.goto(`/sessions/${agentId}?inspect=config`)
  await kit.press('Space')
  await expect(header(page)).toHaveAttribute('data-overlaid', 'true')
  await expect(kit).toBeFocused()
  await expect(header(other)).toHaveAttribute('data-overlaid', 'true')
  await expect(other.getByTestId('build-kit')).toBeChecked()
  await page.locator('[data-composer]').fill('use read_config {}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.locator('[data-tool="read_config"][data-state="answered"]')).toBeVisible()
  await page.reload()
  await expect(kit).toBeChecked()
  await expect(header(page)).toHaveAttribute('data-overlaid', 'true')
  expect(await api<Stored>('GET', `/api/agents/${agentId}`)).toMatchObject({
    revision: 1,
    chat: { tools: [] }
  })
  await kit.uncheck()
  await expect(header(page)).not.toHaveAttribute('data-overlaid')
  // While a change is in progress, the switch accepts no other.
  await expect(kit).toHaveAttribute('aria-busy', 'false')
  await page.route('**/overlay', route =>
    route.fulfill({ status: 422, json: { error: 'It does not fit.', code: 'INVALID_INPUT' } })
  )
  await kit.click()
  await expect(page.getByText('It does not fit.')).toBeVisible()
  await expect(kit).not.toBeChecked()
})

test('002-8: a session that an editor starts has the build kit, and a button in its header switches it', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await page.getByTestId('new-session').click()
  await page.waitForURL(/\/sessions\//)
  const dialog = page.getByRole('dialog')
  const chip = page.getByTestId('kit-chip')
  await expect(chip).toHaveAttribute('data-on', 'true')
  await expect(page.locator('[data-composer]')).toBeFocused()
  await page.locator('[data-composer]').fill('use discover_catalog {"query": "fetch"}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.locator('[data-tool="discover_catalog"][data-state="answered"]')).toBeVisible()

  await chip.press('Enter')
  const kit = dialog.getByTestId('build-kit')
  await expect(kit).toBeFocused()
  await page.keyboard.press('Space')
  await expect(kit).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(chip).toBeFocused()
  await expect(chip).not.toHaveAttribute('data-on')
  await page.reload()
  await expect(chip).not.toHaveAttribute('data-on')
})

test('002-8: a session starts without the build kit if its agent says so, or if the user clears the box', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId, config: { buildKit: 'off' } })
  await page.getByTestId('new-session').click()
  await page.waitForURL(/\/sessions\//)
  await expect(page.getByTestId('kit-chip')).not.toHaveAttribute('data-on')
  await page.goto(`/agents/${agentId}`)
  await page.getByTestId('agent-build-kit').selectOption('')
  await page.getByTestId('review-draft').click()
  await expect(page.getByRole('dialog').getByTestId('widened').getByRole('listitem')).toHaveCount(1)
  await page.getByTestId('publish-revision').click()
  await isPublished(page, 2)
  await page.reload()
  await page.getByTestId('open-new-session').click()
  await page.getByRole('dialog').locator(`[value="${agentId}"]`).check()
  const box = page.getByRole('dialog').getByTestId('start-with-kit')
  await expect(box).toBeChecked()
  await box.uncheck()
  await page.getByTestId('create-session').click()
  await page.waitForURL(/\/sessions\//)
  await expect(page.getByTestId('kit-chip')).not.toHaveAttribute('data-on')
})

test('the build kit is off beside an overlay of another kind, and switching it leaves that overlay', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await api('PUT', `/api/sessions/${agentId}/overlay`, { overlay: { tools: [{ name: 'client-info' }] } })
  await page.goto(`/sessions/${agentId}?inspect=config`)
  const kit = page.getByTestId('build-kit')
  await expect(header(page)).toHaveAttribute('data-overlaid', 'true')
  await expect(kit).not.toBeChecked()
  await expect(page.getByTestId('kit-chip')).not.toHaveAttribute('data-on')
  await kit.check()
  await expect(page.getByTestId('kit-chip')).toHaveAttribute('data-on', 'true')
  await expect(kit).toHaveAttribute('aria-busy', 'false')
  await kit.uncheck()
  await expect(page.getByTestId('kit-chip')).not.toHaveAttribute('data-on')
  await expect(header(page)).toHaveAttribute('data-overlaid', 'true')
})

test('the switch of the build kit keeps the requested state until the session log confirms it', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}?inspect=config`)
  // The reply arrives, but no event follows, because the request never reached the server.
  await page.route('**/overlay', route =>
    route.fulfill({ json: { sessionId: agentId, overlaid: true, buildKit: true } })
  )
  const kit = page.getByTestId('build-kit')
  const replied = page.waitForResponse('**/overlay')
  await kit.click()
  await (await replied).finished()
  await expect(kit).toBeChecked()
  await expect(kit).toHaveAttribute('aria-busy', 'true')
  await page.unroute('**/overlay')
  await api('PUT', `/api/sessions/${agentId}/overlay`, { buildKit: true })
  await expect(header(page)).toHaveAttribute('data-overlaid', 'true')
  await expect(kit).toBeChecked()
  await expect(kit).toHaveAttribute('aria-busy', 'false')
})

test('a publication reaches every open page, even of an idle session in another browser (002-16)', async ({
  page,
  browser,
  storageState,
  api,
  id
}) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, storageState })
  await context.clock.install()
  const other = await context.newPage()
  await other.goto(`/sessions/${agentId}?inspect=config`)
  await expect(header(other)).toHaveAttribute('data-revision', '1')
  await other.locator('[data-composer]').fill('Half a')
  await instructions(page).fill('Be kind.')
  await publishAgent(page, 2)
  await context.clock.runFor(3000)
  await expect(header(other)).toHaveAttribute('data-revision', '2')
  await expect(other.getByText('"instructions": "Be kind."')).toBeVisible()
  await expect(other.locator('[data-composer]')).toHaveValue('Half a')
  await context.close()
})

test('the header shows the published revision once the agent has run on it', async ({ page, api, id }) => {
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}`)
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Live' })
  await page.locator('[data-composer]').fill('say hello there')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(header(page)).toHaveAttribute('data-revision', '2')
})

test('the list of agents counts their requests, marks drafts, and starts a session without a question', async ({
  page,
  api,
  id
}) => {
  const agentId = id('listed')
  await openAgent({ page, api, agentId, config: { tools: [{ name: 'ask-question' }] } })
  await description(page).fill('A draft.')
  await isDraftSaved(page)
  await startSession(api, agentId, id('first'))
  await page.goto('/agents')
  const row = page.locator(`[data-agent="${agentId}"]`)
  await expect(row.getByTestId('has-draft')).toBeVisible()
  await expect(row.getByTestId('used')).toBeVisible()
  await expect(row.getByTestId('requests')).toHaveCount(0)
  await row.getByTestId('new-session').focus()
  await expect(row.getByTestId('new-session')).toHaveCSS('opacity', '1')
  await row.getByTestId('new-session').press('Enter')
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.locator('[data-composer]')).toBeFocused()
  await page.keyboard.type('ask me to choose a color')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByTestId('dock')).toBeVisible()
  await page.goto('/agents')
  await expect(row.getByTestId('requests')).toContainText('1')
  await row.getByRole('link').press('Enter')
  await page.waitForURL(`**/agents/${agentId}`)
})

test('a copy of an agent has its published configuration and an ID of its own', async ({ page, api, id }) => {
  const agentId = id('original')
  await openAgent({ page, api, agentId })
  await page.goto('/agents')
  const copy = id('copy')
  await page.locator(`[data-agent="${agentId}"]`).getByTestId('agent-menu').click()
  await page.getByTestId('duplicate-agent').click()
  await expect(page.getByTestId('copy-agent')).toHaveValue(agentId)
  await expect(page.locator('[name="chat.instructions"]')).toHaveValue('Be brief.')
  await expect(page.locator('[name="displayName"]')).not.toHaveValue('')
  await page.locator('[name="displayName"]').fill(copy)
  await page.getByTestId('create-agent').click()
  await page.waitForURL(`**/agents/${copy}`)
  expect(await api<Stored>('GET', `/api/agents/${copy}`)).toMatchObject({
    revision: 1,
    chat: (await api<Stored>('GET', `/api/agents/${agentId}`)).chat
  })
})

test('a template fills the form of a new agent, keeps a typed name, and its tools are created too', async ({
  page,
  api,
  id
}) => {
  const name = page.locator('[name="displayName"]')
  await page.goto('/agents/new')
  await expect(name).toBeFocused()
  const template = (value: string) => page.locator(`[name=type][value=${value}]`).check()
  await template('research')
  await expect(name).not.toHaveValue('')
  await expect(page.locator('[name="chat.instructions"]')).not.toHaveValue('')
  const typed = id('scout')
  await name.fill(typed)
  await template('reminders')
  await expect(page.getByTestId('template-tools')).toContainText('alarm-clock')
  await template('research')
  await expect(name).toHaveValue(typed)
  await page.getByTestId('create-agent').click()
  await page.waitForURL(`**/agents/${typed}`)
  const { chat } = await api<{ chat: { tools: object[] } }>('GET', `/api/agents/${typed}`)
  expect(chat.tools).toMatchObject([{ name: 'web-fetch', approval: 'ask' }, { name: 'ask-question' }])
})
