import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { connect } from '#db/client.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import { createSession, launchChromium, mainThread, openSession, signIn } from './browser-page.ts'
import { startChild } from './child.ts'
import { longSession } from './long-session.ts'

/** Messages of the session. Each is at least one row. */
const messages = 200
const perSecond = 100
const seconds = 7
/** Words of a paragraph. */
const paragraph = 60
/** Milliseconds after the first word, in which the page settles. */
const settleMs = 500

/** CPU time of the page's main thread, in milliseconds per second, while words stream. */
export type StreamedPage = { ours: number[]; bare: number[] }

/**
 * Measures the main thread of a page in headless Chromium while a reply of 100 words per second streams into a session
 * of 200 messages, on the real server. The baseline is a bare page that receives the same words from the model's
 * server and appends them to a paragraph. The two alternate.
 */
export async function measureStreamedPage(databaseUrl: string, rounds = 2): Promise<StreamedPage> {
  await using model = await startChild('model-server.ts', [`${perSecond}`, `${seconds}`, `${paragraph}`])
  const provider = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'none' }
  const server = await startServer({ DATABASE_URL: databaseUrl, ...provider })
  const sql = connect(databaseUrl, { max: 1 })
  const browser = await launchChromium()
  try {
    const page = await signIn(browser, server)
    const measured: StreamedPage = { ours: [], bare: [] }
    for (let n = 0; n < rounds; n++) {
      const sessionId = await longSession({ sql, session: () => createSession(server) }, messages)
      measured.ours.push(await stream(page, server, sessionId))
      measured.bare.push(await streamBare(browser, model.url))
    }
    return measured
  } finally {
    await browser.close()
    await sql.end()
    await server.stop()
  }
}

async function stream(page: Page, server: ServerProcess, sessionId: string): Promise<number> {
  await openSession(page, server, sessionId)
  const response = await fetch(`${server.url}/api/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Speak, clock.' })
  })
  if (!response.ok) throw new Error(`The message was not accepted: ${await response.text()}`)
  await page
    .getByLabel('Transcript')
    .getByText(/\+\d+\.\d+ @/)
    .waitFor()
  return await perSecondOf(page)
}

async function streamBare(browser: Browser, modelUrl: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    await page.goto(`${modelUrl}/bare`)
    await page.evaluate(async () => {
      const response = await fetch('/v1/chat/completions', { method: 'POST', body: '{}' })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      document.body.append(document.createElement('p'))
      const read = async (): Promise<void> => {
        const { done, value = '' } = (await reader?.read()) ?? { done: true }
        for (const [, word = ''] of value.matchAll(/"content":"([^"]*)"/g))
          document.querySelector('p')?.append(word)
        if (!done) await read()
      }
      void read()
    })
    await page.getByText(/\+\d+\.\d+ @/).waitFor()
    return await perSecondOf(page)
  } finally {
    await page.close()
  }
}

/** Measures until shortly before the end of the reply. */
async function perSecondOf(page: Page): Promise<number> {
  await pause(settleMs)
  const cpu = await mainThread(page)
  const measuredMs = 1000 * seconds - 4 * settleMs
  const before = await cpu()
  await pause(measuredMs)
  return ((await cpu()) - before) / (measuredMs / 1000)
}
