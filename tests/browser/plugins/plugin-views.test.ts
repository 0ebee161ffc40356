import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startTwin, type Twin } from '#tests/support/plugins/start-twin.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'plugin-views-'))
const tasks = ['Buy milk']
let server: TestServer
let twin: Twin

/** A view with each component there is. */
const board = () => `
  component "title" {
    type    = "text"
    content = "Tasks <script>document.title = 'hacked'</script>"
    style   = "heading"
  }
  component "figures" {
    type = "stat-group"
    stat "open" {
      label = "Open"
      value = "${tasks.length}"
    }
    stat "done" {
      label = "Done"
      value = 12
    }
  }
  component "all" {
    type    = "table"
    columns = ["Task", "Since"]
    rows    = [${tasks.map(task => `[${JSON.stringify(task)}, "today"]`).join(', ')}]
    caption = "What is to be done"
  }
  component "add" {
    type         = "form"
    title        = "A new task"
    action       = "/api/v1/workspaces/default/views/desk/routes/api/tasks"
    submit_label = "Add"
    field "task" {
      type     = "string"
      label    = "Task"
      required = true
    }
    field "urgent" { type = "bool" }
  }
  component "evil" {
    type   = "button"
    label  = "Take over"
    action = "/api/v1/workspaces/default/views/desk/routes/../../../../../keys"
  }
  component "more" {
    type  = "section"
    title = "More"
    component "notes" {
      type    = "markdown"
      content = "Some **bold** words, <img src=x onerror=alert(1)> and a [link](javascript:alert(1))."
    }
    component "grid" {
      type    = "grid"
      columns = 3
      component "card" {
        type    = "card"
        title   = "A card"
        content = "With words."
        component "state" {
          type  = "badge"
          label = "late"
          tone  = "bad"
        }
      }
      component "share" {
        type  = "progress"
        label = "Done"
        value = 12
        max   = 20
      }
      component "week" {
        type   = "chart"
        title  = "A week"
        labels = ["Mo", "Tu", "We"]
        values = [3, 5, 2]
      }
    }
    component "line" { type = "divider" }
    component "steps" {
      type    = "list"
      items   = ["one", "two"]
      ordered = true
    }
    component "warn" {
      type    = "alert"
      title   = "Careful"
      content = "Something is late."
      tone    = "warn"
    }
    component "log" {
      type    = "code"
      content = "a = 1"
    }
    component "out" {
      type  = "link"
      label = "Elsewhere"
      href  = "https://example.com"
    }
    component "trap" {
      type  = "link"
      label = "A trap"
      href  = "javascript:alert(1)"
    }
    component "picture" {
      type = "image"
      src  = "https://tracker.example/pixel.png"
      alt  = "A picture"
    }
    component "strange" { type = "hologram" }
  }`

const talk = 'component "talk" {\n  type = "chat"\n  placeholder = "Ask the desk"\n}'

test.beforeAll(async () => {
  twin = await startTwin({
    name: 'desk',
    views: [
      {
        name: 'board',
        label: 'Board',
        icon: 'calendar',
        routes: [{ method: 'POST', path: '/api/tasks' }]
      },
      { name: 'broken', label: 'Broken' },
      { name: 'talk', label: 'Ask', icon: 'chat', scope: 'global' }
    ],
    render: ({ viewName }) => (viewName === 'board' ? board() : viewName === 'talk' ? talk : '<p>Hi</p>'),
    async route({ body }) {
      const { task } = JSON.parse(Buffer.from(body).toString()) as { task: string }
      if (task === 'nothing') {
        const answer = { error: 'Something is missing.', fields: { task: 'Say what is to be done.' } }
        return { statusCode: 422, body: Buffer.from(JSON.stringify(answer)) }
      }
      tasks.push(task)
      return { statusCode: 200, body: Buffer.from('{"message":"Added."}') }
    },
    async *stream(messages) {
      for await (const { data } of messages) {
        if (data.length === 0) continue
        const { content } = JSON.parse(Buffer.from(data).toString()) as { content: string }
        const events = [
          { type: 'tool_call', agent: 'desk', tool: 'look', args: '{}' },
          { type: 'tool_result', agent: 'desk', tool: 'look', result: '"found"', is_error: false },
          { type: 'content', agent: 'desk', content: 'You said ' },
          { type: 'content', agent: 'desk', content: `“${content}”.` },
          { type: 'handoff', agent: 'desk', target: 'archive' },
          { type: 'finish', agent: 'archive' }
        ]
        for (const event of events) yield Buffer.from(JSON.stringify(event))
      }
    }
  })
  writeFileSync(
    join(folder, 'default.hcl'),
    `workspace "default" {
      plugin "desk" { source = "remote://127.0.0.1:${twin.port}" }
    }`
  )
  server = await startServer({ WAYSTATION_WORKSPACES: folder, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
})
test.afterAll(async () => {
  await server.stop()
  await twin.stop()
  rmSync(folder, { recursive: true })
})

async function signIn(page: Page) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
}

test('003-12, 003-13: a view is a page of components, in which nothing of the plugin runs; its form reaches the plugin, and the page shows what came of it', async ({
  page
}) => {
  await signIn(page)
  await page.getByRole('link', { name: 'Views' }).click()
  await page.waitForURL(/\/views\/desk\/board$/)
  await expect(page.getByRole('heading', { name: 'Tasks <script>' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Buy milk' })).toBeVisible()
  await expect(page.getByText('“strange” is of a kind that is not shown here: hologram')).toBeVisible()
  await expect(page.getByRole('link', { name: 'A trap' })).toHaveCount(0)
  await expect(page.getByRole('img')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Take over' })).toBeDisabled()
  await expect(page.getByText('It sends nothing: its action is no request of its plugin.')).toBeVisible()
  await looksWell(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('This is needed.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Task' }).fill('nothing')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('Say what is to be done.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Task' }).fill('Call Ann')
  await page.getByRole('textbox', { name: 'Task' }).press('Enter')
  await expect(page.getByText('Added.')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Call Ann' })).toBeVisible()
  await expect(page).not.toHaveTitle(/hacked/)

  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Broken' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be read' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await looksWell(page)
  const path = '/api/v1/workspaces/default/views/desk/routes/api/tasks'
  const answer = await page.request.post(server.url + path, {
    data: { task: 'Look' },
    headers: { origin: server.url }
  })
  // On the way out nobody puts a weaker policy over it.
  expect(answer.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store'
  })
  await page.goto(`${server.url}/views/desk/none`)
  await expect(page.getByRole('heading', { name: 'Nothing stops here' })).toBeVisible()
})

test('003-14: a chat with a plugin says what it does, and connects again by itself when the plugin was away; what is typed stays', async ({
  page
}) => {
  await signIn(page)
  await page.getByRole('list', { name: 'Views of plugins' }).getByRole('link', { name: 'Ask' }).click()
  const words = page.getByPlaceholder('Ask the desk')
  const send = page.getByRole('button', { name: 'Send' })
  await words.fill('Hello')
  await expect(send).toBeEnabled()
  await words.press('Enter')
  const log = page.getByRole('log')
  await expect(log).toContainText('You said “Hello”.')
  await expect(log).toContainText('look is done')
  await expect(log).toContainText('desk handed over to archive.')
  await looksWell(page)

  await twin.stop()
  await expect(page.getByText('The connection broke. Trying again…')).toBeVisible()
  await words.fill('Still there?')
  await expect(send).toBeDisabled()
  await twin.start()
  await expect(send).toBeEnabled({ timeout: 60_000 })
  await words.press('Enter')
  await expect(log).toContainText('You said “Still there?”.')
  await expect(log).toContainText('You said “Hello”.')
})

test('003-14: a page elsewhere gets no stream with somebody’s cookie', async ({ page, context }) => {
  await signIn(page)
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const address = `${server.url.replace('http', 'ws')}/api/v1/workspaces/default/views/desk/stream`
  const foreign = new WebSocket(address, { headers: { cookie }, origin: 'https://evil.example' })
  foreign.on('error', () => undefined)
  const [, refused] = await once(foreign, 'unexpected-response')
  expect(refused.statusCode).toBe(403)
  const own = new WebSocket(address, { headers: { cookie }, origin: server.url })
  await once(own, 'open')
  own.close()
})
