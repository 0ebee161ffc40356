import { expect } from '#tests/browser/test.ts'
import { test } from './test.ts'

test('texts of the list of MCP servers', async ({ page, api, id, flights }) => {
  for (const [agentId, mcp] of [
    [id('clerk'), flights.name],
    [id('lost'), 'ferries']
  ])
    await api('POST', '/api/agents', {
      agentId,
      displayName: `The ${agentId}`,
      chat: { model: 'demo/demo', tools: [{ mcp }] }
    })
  await page.goto('/connections')
  await expect(page.locator('#main a[href="/connections/mcp"]')).toHaveText('MCP servers')
  await page.goto('/connections/mcp')
  await expect(page.getByTestId('missing-servers')).toContainText(
    /The lost[^,]* uses? ferries, but no such server exists/
  )
  const servers = page.getByTestId('mcp-servers')
  await expect(servers).toHaveAccessibleName('MCP servers')
  const row = servers.getByRole('listitem').filter({ has: page.getByText(flights.name, { exact: true }) })
  await expect(row).toContainText(`The ${id('clerk')} uses it`)
  await expect(row.getByTestId('health')).toHaveText('Not checked yet.')
})

test('texts of an MCP server and its tools', async ({ page, flights }) => {
  await page.goto('/connections/mcp/trains')
  await expect(page.getByTestId('check-server')).toHaveText('Check server')
  await page.getByTestId('check-server').click()
  await expect(page.getByTestId('server-error')).toHaveText("Couldn't list the tools of trains.")
  await expect(page.getByTestId('health')).toHaveText(/^Check failed, .*The program did not start/)
  await page.goto(`/connections/mcp/${flights.name}`)
  await page.getByTestId('check-server').click()
  await expect(page.getByTestId('server-outcome')).toHaveText(`${flights.name} responded with 13 tools.`)
  await expect(page.locator('#main').getByRole('searchbox')).toHaveAccessibleName('Search tools')
  await expect(page.getByTestId('mcp-tools')).toHaveAccessibleName('Tools')
  const tool = page.locator('[data-tool="search_flights"]')
  await tool.locator('summary').first().click()
  await expect(tool.getByTestId('parameters')).toHaveAccessibleName('Parameters of search_flights')
  await expect(tool.locator('[data-parameter="stops"]')).toHaveText('stops integer, optional')
  flights.describe('Finds flights otherwise.')
  await page.getByTestId('check-server').click()
  await expect(tool).toContainText("The server changed this tool's definition.")
  await expect(tool.getByTestId('accept-definition')).toHaveText('Accept definition…')
  await tool.getByTestId('accept-definition').click()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Accept the new definition of search_flights?')
  await expect(page.getByTestId('confirm')).toHaveText('Accept definition')
  await page.getByTestId('confirm').click()
  await expect(page.getByTestId('server-outcome')).toHaveText(
    'Accepted the current definition of search_flights.'
  )
  await expect(tool.getByTestId('accepted-by')).toContainText('Accepted by Local owner,')
  flights.grow()
  await page.getByTestId('check-server').click()
  const added = page.locator('[data-tool="book_flight"]')
  await expect(added.locator('summary').first()).toContainText('new')
  await expect(added).toContainText('The server added this tool later.')
  await expect(added.getByTestId('accept-definition')).toHaveText('Accept tool…')
  await page.goto('/connections/mcp')
  const row = page.getByTestId('mcp-servers').getByRole('listitem').filter({ hasText: flights.name })
  await expect(row.first()).toContainText('1 new tool')
  await page.goto(`/connections/mcp/${flights.name}`)
  await added.getByTestId('accept-definition').click()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Accept book_flight?')
})
