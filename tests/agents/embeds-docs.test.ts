import { readFile } from 'node:fs/promises'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { staticEntries } from '#lib/agents/catalogue/registry.ts'
import { createAgent } from '#lib/agents/create.ts'
import { embedErrors } from '#lib/agents/embeds/embed-error.ts'
import { lookupIn } from '#lib/agents/embeds/lookup.ts'
import { limits, resolveEmbeds } from '#lib/agents/embeds/resolve.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const page = await readFile('docs/embeds.md', 'utf8')

test('every example of docs/embeds.md resolves as the page says', async () => {
  const { ctx } = await startTestServer()
  const [, library = ''] = /^```json agent\n(.*?)^```$/ms.exec(page) ?? []
  await createAgent(ctx, AgentConfig.parse(JSON.parse(library)))
  const examples = [...page.matchAll(/^```json embed\n(.*?)^```\n```json result\n(.*?)^```$/gms)]
  expect(examples).toHaveLength(5)
  expect([...page.matchAll(/^```json/gm)]).toHaveLength(1 + 2 * examples.length)
  for (const [, embed = '', result = ''] of examples)
    expect(await resolveEmbeds(JSON.parse(embed), { lookup: lookupIn(ctx) })).toEqual(JSON.parse(result))
})

test('the page names every error, the limits, the grammar of the code, and only existing entries', async () => {
  for (const kind of embedErrors) expect(page, kind).toContain(`\`${kind}\``)
  expect(page).toContain(
    `at most ${limits.depth} within each other, ${limits.embeds} in all, and ${limits.bytes / 1024 / 1024} MiB`
  )
  const rules = (text: string) =>
    [...text.matchAll(/^[ *]*(\w+) *= (.*)$/gm)]
      .map(([, name, rule]) => `${name} = ${rule}`)
      .filter(rule =>
        /^(embed|token|references|selector|snippet|pair|family|field|choice|value|ws) = /.test(rule)
      )
  const codeRules = rules(
    (await readFile('packages/protocol/src/agent/read-embeds.ts', 'utf8')).split('*/').slice(0, 4).join('')
  )
  expect(codeRules).toHaveLength(11)
  expect(rules(page)).toEqual(codeRules)
  for (const [, slug = ''] of page.matchAll(/(__ag__\w+)/g)) expect(staticEntries.has(slug), slug).toBe(true)
})
