import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import { png } from '#tests/support/browser/png.ts'
import {
  createExternal,
  createWiki,
  openAlarms,
  openCompacted,
  openHandoff,
  openHandoffDialog,
  openNotSent,
  openQuestion,
  openSession,
  threeAlarms,
  typeMessage
} from './open.ts'
import { context, contextFilledTo, deliveries, showContext, showSession } from './show-session.ts'
import { type Api, type ExternalSystem, expect, questions, test } from './test.ts'

type Context = {
  page: Page
  api: Api
  id: (name: string) => string
  statesUrl: string
  external: ExternalSystem
}

const files = [
  { name: 'cat.png', mimeType: 'image/png', buffer: png(240, 120) },
  { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') }
]

async function openAttaching({ page, api, id }: Context) {
  await openSession(page, api, { agentId: 'guide', sessionId: id('attaching') })
  await page.getByTestId('attach-input').setInputFiles(files)
}

async function openExternal({ page, api, external, id }: Context) {
  const agentId = id('acme')
  await createExternal(api, agentId, external)
  await openSession(page, api, { agentId, sessionId: agentId })
  return agentId
}

const openTab =
  (tab: string) =>
  async ({ page, statesUrl }: Context) => {
    await showSession(page, statesUrl, 'both', { deliveries: { deliveries }, context })
    await page.getByTestId('toggle-inspector').click()
    await page.getByTestId('inspector').getByTestId(`tab-${tab}`).click()
  }

/** Shows the context meter at this share, then opens its tab. */
const openContext =
  (share: number) =>
  async ({ page, statesUrl }: Context) => {
    await showContext(page, statesUrl, () => contextFilledTo(share))
    await expect(page.getByTestId('context-meter')).toBeVisible()
    await expectAccessible(page)
    // The check leaves a small window, in which only a nearly full context has a meter.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByTestId('context-meter').click()
    await expect(page.getByTestId('context-popover')).toBeVisible()
    await expectAccessibleNow(page)
    await page.getByTestId('open-context').click()
    await expect(page.getByTestId('prompt-parts')).toBeVisible()
  }

/** Functions that open a page and bring it into the state. */
const pages: Record<string, (context: Context) => Promise<unknown>> = {
  'three alarms': async ({ page, api, id }) => {
    const setAlarms = await openAlarms(page, api, id('warden'))
    await setAlarms(...threeAlarms())
    await page.getByTestId('more-alarms').click()
    await expect(page.locator('[data-alarm]')).toHaveCount(3)
  },
  'files that are ready to be sent': async context => {
    await openAttaching(context)
    await expect(context.page.locator('[data-hook=attachment][data-state=ready]')).toHaveCount(2)
  },
  'a file that could not be attached': async context => {
    await context.page.route(/\/files\?/, route => route.abort())
    await openAttaching(context)
    await expect(context.page.locator('[data-hook=attachment][data-state=failed]')).toHaveCount(2)
  },
  'files in the transcript': async context => {
    await openAttaching(context)
    await expect(context.page.getByTestId('send-message')).toBeEnabled()
    await typeMessage(context.page, 'What are these?')
    await expect(context.page.getByTestId('attached-image').getByRole('img')).toBeVisible()
    await expect(context.page.getByTestId('transcript').getByText('240×120')).toBeVisible()
  },
  'an open summary of what left the prompt': ({ page, api, id }) => openCompacted(page, api, id('terse')),
  'a message that is not sent to the model any more': ({ page, api, id }) =>
    openNotSent(page, api, id('brief')),
  'the dialog of a handoff': async ({ page, api, id }) => {
    await openHandoff(page, api, id)
    await openHandoffDialog(page)
  },
  'the form of an MCP server': ({ page, api, id }) => openQuestion(page, api, id('flights')),
  'an answered form of an MCP server': async ({ page, api, id }) => {
    const card = await openQuestion(page, api, id('flights'))
    await card.getByLabel('Name').fill('Ada Lovelace')
    await card.getByLabel('Seat').selectOption('Window')
    await card.getByTestId('send-answer').click()
    await expect(card.getByRole('heading', { name: questions[1] })).toBeVisible()
    await card.getByLabel('Yes, book it').check()
    await card.getByTestId('send-answer').click()
    await expect(card).toHaveCount(0)
    await page.locator('[data-row] [data-toggle]').filter({ hasText: 'flights__go' }).click()
    await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
  },
  'a context that is fine': openContext(0.12),
  'a context that is nearly full': openContext(0.87),
  'a context over its limit': openContext(1.2),
  'the Trace tab': openTab('trace'),
  'the Deliveries tab': openTab('deliveries'),
  'the Context tab': openTab('context'),
  'the Prompt tab': openTab('prompt'),
  'the Agent tab': openTab('config'),
  'the trace at full width, with the details of a call': async ({ page, statesUrl }) => {
    await showSession(page, statesUrl, 'both')
    await page.keyboard.press('t')
    await page.locator('[data-trace="call_weather"]').click()
    await expect(page.getByTestId('trace-detail')).toBeVisible()
  },
  'a new session with an external agent': async ({ page, api, external, id }) => {
    const agentId = id('acme')
    await createExternal(api, agentId, external)
    await page.goto(`/agents/${agentId}`)
    await page.getByTestId('new-session').click()
    await page.getByRole('dialog').getByRole('textbox').fill(id('order'))
    await expect(page.getByTestId('id-check')).not.toBeEmpty()
  },
  'an external agent that was never written to': openExternal,
  'a reply of an external agent': async context => {
    await openExternal(context)
    await typeMessage(context.page, 'two crates of lamp oil')
    await expect.poll(() => context.external.received.length).toBe(1)
    await context.external.reply('It is **on its way**.')
    await expect(context.page.locator('strong', { hasText: 'on its way' })).toBeVisible()
  },
  'a message that an external agent did not accept': async context => {
    context.external.status = 503
    await openExternal(context)
    await typeMessage(context.page, 'anybody there?')
    await expect(context.page.getByTestId('message-delivery')).toHaveAttribute('data-state', 'failed')
  },
  'a link to a session of an external agent': async context => {
    const agentId = await openExternal(context)
    await context.page.goto(`/attach?agentId=${agentId}&sessionId=${agentId}`)
    await expect(context.page.getByTestId('attach-session')).toBeVisible()
  },
  'a file that goes along with messages': async context => {
    await openExternal(context)
    await context.page.getByTestId('active-item-input').setInputFiles(files.slice(1))
    await expect(context.page.getByTestId('send-active-item')).toBeChecked()
  },
  'the list that a slash opens': async ({ page, api, id }) => {
    await openSession(page, api, { agentId: 'guide', sessionId: id('slash') })
    await page.locator('[data-composer]').press('/')
    await expect(page.getByTestId('inserts')).toBeVisible()
  },
  'a table of a result': async ({ page, api, id }) => {
    await openSession(page, api, { agentId: 'guide', sessionId: id('table') })
    await typeMessage(page, 'use list_sessions {}')
    await page.locator('[data-tool="list_sessions"][data-state="answered"] [data-toggle]').click()
    await expect(page.getByTestId('result-table')).toBeVisible()
  },
  'the dialog of wiki pages': async context => {
    await createWiki(context.api, context.id('recipes'))
    await openExternal(context)
    await context.page.getByTestId('choose-page').click()
    await expect(context.page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  }
}

for (const [name, open] of Object.entries(pages))
  test(`${name}: accessible, and nothing scrolls sideways`, async ({
    page,
    api,
    id,
    statesUrl,
    external
  }) => {
    await open({ page, api, id, statesUrl, external })
    await expectAccessible(page)
  })
