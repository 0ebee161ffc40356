import { randomUUID } from 'node:crypto'
import { type Api, expect, key, type Page } from '#tests/browser/test.ts'

/**
 * A small wiki in the JSON format of TiddlyWiki: markup, links, a script, an external image, a loop, and many short
 * tiddlers.
 */
export const garden = JSON.stringify([
  {
    title: 'Rose',
    text: "! Thorns\nIt ''pricks''. See [[Oak]] and [[Nowhere]]. <script>window.evil = 1</script>[img[https://evil.example/x.png]]",
    tags: 'plants',
    modified: '20260101000000000'
  },
  { title: 'Oak', text: 'Old.', tags: 'plants [[slow things]]' },
  { title: 'Loop', text: '{{Loop}}' },
  ...Array.from({ length: 60 }, (_, n) => ({ title: `Weed ${n}`, text: 'It grows.' }))
])

export const file = (name: string, text = garden) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text)
})

export const uniqueName = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

/** Creates a wiki from the garden and returns its name. */
export async function importGarden(page: Page): Promise<string> {
  const wiki = uniqueName('garden')
  await page.request.post('/api/wikis', { headers: key, data: { name: wiki } })
  const response = await page.request.post(`/api/wikis/${wiki}/import?file=a.json`, {
    headers: { ...key, 'content-type': 'text/plain' },
    data: garden
  })
  if (!response.ok()) throw new Error(`The garden was not imported: ${await response.text()}`)
  return wiki
}

/** Deletes all wikis of the server, so that its list is empty. */
export async function deleteWikis(api: Api): Promise<void> {
  const { wikis } = await api<{ wikis: { name: string }[] }>('GET', '/api/wikis')
  for (const { name } of wikis) await api('DELETE', `/api/wikis/${name}`)
}

/** Opens a session whose agent has the wiki tools and looks up one tiddler. Expands its row. */
export async function openFoundTiddler(page: Page, api: Api, wiki: string): Promise<void> {
  const agentId = uniqueName('reader')
  const tools = [{ name: 'wiki-search' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Reader', chat: { tools } })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  await page.goto(`/sessions/${agentId}`)
  const text = `use wiki-search ${JSON.stringify({ wiki, title: 'Rose' })}`
  await api('POST', `/api/sessions/${agentId}/messages`, { text })
  await page.locator('[data-row] [data-toggle]').press('Enter')
}

const seeds = "! Seeds\n* ''round''\n<script>window.evil = 1</script>"

/** Opens a session in which an external agent wrote wikitext: a block of its reply, or the whole reply. */
export async function openExternalWikitext(
  page: Page,
  api: Api,
  { url }: { url: string },
  whole = false
): Promise<void> {
  const agentId = uniqueName('writer')
  const external = { inputUrl: 'http://127.0.0.1:9/in', callbackBaseUrl: url, retries: 0 }
  await api('POST', '/api/agents', { agentId, displayName: 'Writer', type: 'external', external })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  await page.goto(`/sessions/${agentId}`)
  const { callbackUrl } = await api<{ callbackUrl: string }>('GET', `/api/sessions/${agentId}/callback`)
  await page.request.post(callbackUrl, {
    headers: { 'content-type': whole ? 'text/vnd.tiddlywiki' : 'text/plain' },
    data: whole ? seeds : `What grows:\n\n\`\`\`wikitext\n${seeds}\n\`\`\`\n\nThat is all.`
  })
}

/** Makes an agent change the tiddler `Rose` of a wiki, and returns the ID of its session when it is done. */
export async function changeRose(api: Api, wiki: string): Promise<string> {
  const agentId = uniqueName('gardener')
  const tools = [{ name: 'wiki-write', approval: 'auto' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Gardener', chat: { tools } })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  const text = `use wiki-write ${JSON.stringify({ wiki, title: 'Rose', text: '! Petals' })}`
  await api('POST', `/api/sessions/${agentId}/messages`, { text })
  await expect
    .poll(async () => (await api<{ changes: object[] }>('GET', `/api/wikis/${wiki}/changes`)).changes)
    .toHaveLength(1)
  return agentId
}

/** Opens a session whose agent can read wikis and answers with this Markdown. */
export async function openAnswer(page: Page, api: Api, answer: string): Promise<void> {
  const agentId = uniqueName('teller')
  const tools = [{ name: 'wiki-search' }, { name: 'summary' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Teller', chat: { tools } })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  await page.goto(`/sessions/${agentId}`)
  await api('POST', `/api/sessions/${agentId}/messages`, {
    text: `use summary ${JSON.stringify({ answer })}`
  })
}
