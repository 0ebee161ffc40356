import { dueIn } from '#components/session/wording/out-of-band-words.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { act } from '#tests/browser/session/start-conversation.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { expect, type Page, type Route, test } from './test.ts'

type Told = { id: string; content: string; status: string; priority: string; metadata?: object }
type Call = { toolCallId: string }

const field = (page: Page) => page.locator('[data-composer]')
const bar = (page: Page) => page.getByTestId('tell-bar')
const cards = (page: Page) => page.getByTestId('out-of-band-message')
const card = (page: Page, text: string) =>
  cards(page).filter({ has: page.locator('blockquote', { hasText: text }) })

/** Writes a message and sends it out of band by keyboard, with the default priority and action. */
async function tell(page: Page, text: string) {
  await field(page).fill(text)
  await page.keyboard.press('Alt+Enter')
  await expect(bar(page)).toBeVisible()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
}

test('004-2, 004-12: a message from the message field stays in place while its receipt changes from pending to read', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('told', 'Told')
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.getByTestId('dock')).toBeVisible()
  await tell(page, 'Only the API docs.')
  const own = card(page, 'Only the API docs.')
  await expect(own).toHaveAttribute('data-status', 'visible')
  await expect(own.getByTestId('receipt')).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByTestId('queued-messages')).toHaveCount(0)
  await expect(page.locator('[data-row]').last()).toContainText('Only the API docs.')
  await page.reload()
  await expect(own).toHaveAttribute('data-status', 'visible')
  // The element is the same one afterwards, so nothing jumps and a screen reader announces the receipt.
  await own.evaluate(element => element.setAttribute('data-same', ''))

  const { session } = await api<{ session: { waitingFor: Call[] } }>('GET', `/api/sessions/${sessionId}`)
  const [call] = session.waitingFor
  await api('POST', `/api/sessions/${sessionId}/calls/${call!.toolCallId}/answer`, {
    output: { answer: 'tea' }
  })
  await expect(own.getByTestId('read-by-agent')).toBeVisible()
  await expect(own).toHaveAttribute('data-status', /injected|acknowledged/)
  await expect(own).toHaveAttribute('data-same', '')
  await expect(own.getByTestId('remove-message')).toHaveCount(0)
  await expect(cards(page)).toHaveCount(1)
})

test('004-2: priority and action are chosen by keyboard or in the menu, and Esc returns to a normal message', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('choose', 'Choose')
  await page.goto(`/sessions/${sessionId}`)
  await field(page).fill('Stop at the API.')
  await page.getByTestId('send-options').click()
  await page.getByTestId('tell-now').click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Alt+Enter')
  await bar(page).getByRole('combobox').first().selectOption('low')
  await bar(page).getByRole('combobox').last().selectOption('redirect')
  // The choice survives a reload, like the text.
  await page.reload()
  await expect(bar(page).getByRole('combobox').first()).toHaveValue('low')
  await expect(field(page)).toHaveValue('Stop at the API.')
  await page.getByTestId('send-message').dblclick()
  await expect(card(page, 'Stop at the API.').getByTestId('receipt')).toBeVisible()
  const { messages } = await api<{ messages: Told[] }>('GET', `/api/sessions/${sessionId}/oob`)
  expect(messages).toMatchObject([
    { priority: 'low', metadata: { action: 'redirect' }, source: 'user', sourceId: localOwner.name }
  ])
  await card(page, 'Stop at the API.').getByTestId('remove-message').click()
  await expect(card(page, 'Stop at the API.')).toHaveAttribute('data-status', 'cancelled')
  await expect(card(page, 'Stop at the API.').getByTestId('receipt')).toContainText(localOwner.name)

  await page.keyboard.press('?')
  await expect(page.locator('[data-hotkey="alt+Enter"]')).toBeVisible()
})

test('004-2: the bar says that an external agent receives a message at once, even one of low priority', async ({
  page,
  api,
  id
}) => {
  const [agentId, sessionId] = [id('acme'), id('order')]
  const external = { inputUrl: 'https://acme.example/in' }
  await api('POST', '/api/agents', { agentId, displayName: 'Acme', type: 'external', external })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await field(page).fill('Only the API docs.')
  await page.keyboard.press('Alt+Enter')
  await bar(page).getByRole('combobox').first().selectOption('low')
  const due = dueIn({ priority: 'low' }, 'idle', true).toLowerCase()
  await expect(bar(page).getByRole('status')).toContainText(due)
})

test('004-2: an out-of-band message survives an interrupted connection and a reload, and is sent once', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('offline', 'Offline')
  await page.goto(`/sessions/${sessionId}`)
  // The server stores the message, but its response is lost.
  const responseLost = Promise.withResolvers<void>()
  const loseResponse = async (route: Route) => {
    await route.fetch()
    await route.abort()
    responseLost.resolve()
  }
  await page.route('**/oob', loseResponse, { times: 1 })
  await tell(page, 'Only the API docs.')
  await expect(page.locator('[data-hook="out-of-band-message"]')).toContainText('Only the API docs.')
  await responseLost.promise
  await page.reload()
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page).getByTestId('receipt')).toBeVisible()
  await expect(page.getByTestId('send-state')).toHaveCount(0)
  const { messages } = await api<{ messages: Told[] }>('GET', `/api/sessions/${sessionId}/oob`)
  expect(messages.map(({ content }) => content)).toEqual(['Only the API docs.'])
})

test('004-17: a rejected message shows the reason in place with its text, and is changed and sent again', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('rejected', 'Rejected')
  await outOfBand.setPolicy(sessionId, { minPriority: 'high' })
  await page.goto(`/sessions/${sessionId}`)
  await tell(page, 'Only the API docs.')
  const state = card(page, 'Only the API docs.').getByTestId('send-state')
  await expect(state).toHaveAttribute('data-state', 'refused')
  await expect(state.getByRole('alert')).not.toBeEmpty()
  await expectAccessible(page)
  await state.getByTestId('edit-message').click()
  await expect(cards(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('Only the API docs.')
  await expect(field(page)).toBeFocused()
  await bar(page).getByRole('combobox').first().selectOption('high')
  await expectAccessible(page)
  await page.getByTestId('send-message').click()
  await expect(card(page, 'Only the API docs.')).toHaveAttribute('data-status', 'visible')
})

test('004-17: a correction shows what it replaces, and a message about something links to it', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('related', 'Related')
  await outOfBand.sendMessage(sessionId, 'say hello')
  await page.goto(`/sessions/${sessionId}`)
  await tell(page, 'Write the API docs.')
  const first = card(page, 'Write the API docs.')
  await first.getByTestId('tell-about').click()
  await expect(bar(page).getByTestId('tell-relates-to')).toContainText('Write the API docs.')
  await field(page).fill('Write the user guide.')
  await page.keyboard.press('Enter')
  const second = card(page, 'Write the user guide.')
  await expect(second.getByTestId('replaces')).toContainText('Write the API docs.')
  await expect(first.getByTestId('replaced-by')).toContainText('Write the user guide.')
  await second.getByTestId('replaces').click()
  await expect(page.locator('[data-row]').filter({ has: first })).toBeFocused()

  // A reply of the agent, and a text that is no ID.
  const bubble = page.getByTestId('message-bubble').last()
  await act(page.locator('[data-row]').filter({ has: bubble }).last(), 'tell')
  await field(page).fill('That was short.')
  await page.keyboard.press('Enter')
  const about = card(page, 'That was short.').getByTestId('about')
  await expect(about).toContainText('hello')
  await about.click()
  await expect(page.locator('[data-row]:focus')).toContainText('hello')
  await outOfBand.send(sessionId, 'Merged.', { metadata: { relatedTo: 'pr-7' } })
  await outOfBand.sendMessage(sessionId, 'say done')
  await expect(card(page, 'Merged.').getByTestId('about')).toContainText('pr-7')
  await expectAccessible(page)
})
