import { readFile } from 'node:fs/promises'
import { type Api, expect, type Page } from '#tests/browser/test.ts'
import { test } from './open-page.ts'
import { type Call, face, typeMessage } from './shop.ts'

const dock = (page: Page) => page.locator('[data-place=dock]')
const seats = 'use pick-seat {"free": ["12A", "12C"]}'

/** Returns the last TSX page of a file, for this session. */
async function snippetOf(path: string, sessionId: string): Promise<string> {
  const blocks = [...(await readFile(path, 'utf8')).matchAll(/^```tsx\n(.*?)^```$/gms)]
  return (blocks.at(-1)?.[1] ?? '')
    .replace("process.env.NEXT_PUBLIC_WAYSTATION_URL ?? ''", "'https://waystation.example'")
    .replace('export default function Page', 'export function Page')
    .replaceAll('support-ada', sessionId)
}

const callsOf = async (api: Api, sessionId: string) =>
  (await api<{ calls: (Call & { state: string })[] }>('GET', `/api/sessions/${sessionId}`)).calls

test('the page of the README shows its own card for its own tool, across a reload, and the agent gets the answer', async ({
  page,
  api,
  id,
  openPage
}) => {
  const [sessionId, subject] = [id('support'), 'ada']
  const source = await snippetOf('packages/react/README.md', sessionId)
  await page.goto(await openPage({ source, sessionId, subject }))
  await typeMessage(page, seats)
  await expect(dock(page).getByRole('button', { name: '12A' })).toBeVisible()
  await expect(dock(page).getByRole('heading')).not.toContainText("can't")
  await page.reload()
  await dock(page).getByRole('button', { name: '12C' }).click()
  await expect(dock(page)).toHaveCount(0)
  await expect(face(page, 'idle')).toBeVisible()
  expect(await callsOf(api, sessionId)).toMatchObject([
    { state: 'answered', output: { seat: '12C' }, answeredBy: 'ada' }
  ])
})

test('a custom card for approvals replaces the built-in one, and approves', async ({
  page,
  api,
  id,
  server,
  openPage
}) => {
  const sessionId = id('support')
  const source = await snippetOf('docs/clients.md', sessionId)
  await page.goto(await openPage({ source, sessionId, subject: 'ada' }))
  await typeMessage(page, `fetch ${server.url}/samples/page`)
  await expect(dock(page)).toContainText('samples/page')
  await expect(page.getByTestId('approve-call')).toHaveCount(0)
  await dock(page).getByRole('button', { name: 'Open it' }).click()
  await expect(dock(page)).toHaveCount(0)
  expect(await callsOf(api, sessionId)).toMatchObject([{ state: 'approved', answeredBy: 'ada' }])
})

const own = (body: string) => `
import { createClient } from '@waystation/client'
import { Session, useCall, useSession, useWaiting, WaystationProvider } from '@waystation/react'
import '@waystation/react/style.css'
const client = createClient({ url: 'https://waystation.example', token: () => fetch('/token').then(r => r.text()) })
const tool = { name: 'pick-seat', description: 'Picks a seat.', inputSchema: { type: 'object' } }
${body}`

test.describe('with an error in a card', () => {
  // React logs the error that the card throws.
  test.use({ allowedError: /no seats/ })

  test('a custom card that throws leaves the built-in card, which can end the call', async ({
    page,
    api,
    id,
    openPage
  }) => {
    const sessionId = id('support')
    const source = own(`
  const Broken = () => { throw new Error('no seats') }
  export const Page = () => (
    <WaystationProvider client={client} clientTools={[tool]} widgets={{ 'pick-seat': Broken }}>
      <Session sessionId="${sessionId}" slots={{ header: <h1>My header</h1> }} className="mine" />
    </WaystationProvider>
  )`)
    await page.goto(await openPage({ source, sessionId, subject: 'ada' }))
    await expect(page.locator('.waystation.mine')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(['My header'])
    await expect(page.locator('[data-face]')).toHaveCount(0)
    await typeMessage(page, seats)
    await expect(dock(page).getByTestId('widget-failed')).toBeVisible()
    await dock(page).getByRole('button').last().click()
    await expect(dock(page)).toHaveCount(0)
    expect(await callsOf(api, sessionId)).toMatchObject([{ state: 'declined' }])
  })
})

test('without components: a page answers a call with `useCall`, sends files, and receives a rejected answer as an error', async ({
  page,
  api,
  id,
  openPage
}) => {
  const sessionId = id('support')
  const source = own(`
const errors = []
function Seat({ toolCallId }) {
  const { call, busy, error, answer } = useCall('${sessionId}', toolCallId)
  return (
    <fieldset disabled={busy}>
      <output>{call?.state}</output>
      <p id="error">{error?.code}</p>
      <button onClick={() => answer({ approved: true })}>wrong</button>
      <button onClick={() => answer({ output: { seat: '12A' } })}>right</button>
    </fieldset>
  )
}
function Talk() {
  const { send, calls, messages } = useSession('${sessionId}')
  const { calls: waiting } = useWaiting()
  const file = () => new File(['Feed the cat.'], 'notes.txt', { type: 'text/plain' })
  return (
    <>
      <button onClick={() => send(${JSON.stringify(seats)})}>ask</button>
      <button onClick={() => send({ text: 'say thanks', files: [file()] })}>file</button>
      <p id="waiting">{waiting.length}</p>
      <p id="reported">{errors.join()}</p>
      <ul>{messages.flatMap(({ parts }) => parts).map(part => part.type === 'file' ? <li key={part.url}>{part.filename}</li> : null)}</ul>
      {Object.keys(calls).map(toolCallId => <Seat key={toolCallId} toolCallId={toolCallId} />)}
    </>
  )
}
export const Page = () => (
  <WaystationProvider client={client} clientTools={[tool]} onError={error => errors.push(error.code)}>
    <Talk />
  </WaystationProvider>
)`)
  await page.goto(await openPage({ source, sessionId, subject: 'ada' }))
  await page.getByRole('button', { name: 'ask' }).click()
  await expect(page.locator('#waiting')).toHaveText('1')
  await page.getByRole('button', { name: 'wrong' }).click()
  await expect(page.locator('#error')).not.toBeEmpty()
  await expect(page.locator('#reported')).toHaveText((await page.locator('#error').textContent()) ?? '')
  await page.getByRole('button', { name: 'right' }).click()
  await expect(page.locator('output')).toHaveText('answered')
  await expect(page.locator('#error')).toBeEmpty()
  await page.getByRole('button', { name: 'file' }).click()
  await expect(page.locator('li')).toHaveText(['notes.txt'])
  expect(await callsOf(api, sessionId)).toMatchObject([{ output: { seat: '12A' } }])
})

test('a session that the page already has is shown before the server responds', async ({
  page,
  api,
  id,
  openPage
}) => {
  const sessionId = id('support')
  await api('POST', '/api/plugins/sessions/operations/create', {
    agentId: 'guide',
    sessionId,
    subject: 'ada'
  })
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: 'say First.' })
  const isIdle = async () =>
    (await api<{ session: { status: string } }>('GET', `/api/sessions/${sessionId}`)).session.status
  await expect.poll(isIdle).toBe('idle')
  const initial = await api('GET', `/api/sessions/${sessionId}`)
  const source = own(`
export const Page = () => (
  <WaystationProvider client={client}>
    <Session sessionId="${sessionId}" initial={${JSON.stringify(initial)}} />
  </WaystationProvider>
)`)
  const origin = await openPage({ source, sessionId, subject: 'ada' })
  let tokens: (() => void) | undefined
  const held = new Promise<void>(resolve => {
    tokens = resolve
  })
  await page.route('**/token', async route => {
    await held
    await route.continue()
  })
  await page.goto(origin)
  await expect(page.getByTestId('transcript')).toContainText('First.')
  tokens?.()
  await typeMessage(page, 'say Second.')
  await expect(page.getByRole('paragraph').filter({ hasText: /^Second/ })).toBeVisible()
})
