import { expect, key, test } from '#tests/browser/test.ts'

test('who looks elsewhere is told once of what has come to wait, and a click on it leads there', async ({
  page,
  context
}) => {
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const told: { title: string; click: () => void }[] = []
    class Told {
      static permission = 'granted'
      onclick: (() => void) | null = null
      constructor(title: string) {
        told.push({ title, click: () => this.onclick?.() })
      }
      close() {}
    }
    const place = { told, away: false }
    Object.assign(window, { Notification: Told, place })
    Object.defineProperty(document, 'visibilityState', { get: () => (place.away ? 'hidden' : 'visible') })
    const every = window.setInterval
    window.setInterval = ((act: TimerHandler, ms?: number) =>
      every(act, Math.min(ms ?? 0, 200))) as typeof setInterval
  })
  const titles = () =>
    page.evaluate(() =>
      (window as unknown as { place: { told: { title: string }[] } }).place.told.map(({ title }) => title)
    )
  const ask = async (sessionId: string) => {
    await page.request.post('/api/plugins/sessions/operations/create', {
      headers: key,
      data: { agentId: 'guide', sessionId, title: sessionId }
    })
    await page.request.post(`/api/sessions/${sessionId}/messages`, {
      headers: key,
      data: { text: 'ask me to choose between tea and coffee' }
    })
  }
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await ask('waited-before')
  await page.goto('/settings')
  await page.getByRole('checkbox', { name: /Tell me when something waits/ }).check()
  // What waited before is known to the page once it has asked: it and the list ask in turn.
  let asked = 0
  page.on('response', response => {
    if (response.url().includes('/api/waiting?mine=true')) asked++
  })
  await page.goto('/sessions/welcome')
  await expect.poll(() => asked).toBeGreaterThan(5)

  await page.evaluate(() => Object.assign((window as unknown as { place: object }).place, { away: true }))
  await ask('news')
  await expect.poll(titles).toEqual(['news waits for you'])
  await page.evaluate(() =>
    (window as unknown as { place: { told: { click: () => void }[] } }).place.told[0]?.click()
  )
  await page.waitForURL(/\/sessions\/news$/)
  expect(await titles()).toEqual(['news waits for you'])
})
