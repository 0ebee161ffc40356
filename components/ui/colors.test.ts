import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const table =
  '#f4f7f8 #0f171c #ffffff #16212a #14212b #e4ebef #52616d #93a4b0 #d3dbe0 #27343e #768895 #6a7d8a #8a4b00 #ffc14d #fff1d6 #2a2312 #2456b0 #8db8ff #b0261c #ff8f85 #1b6a4c #6ccfa4'

test('the style sheets use only colors from the table', () => {
  const css = [
    'app/globals.css',
    'components/ui/theme.css',
    'components/ui/base.css',
    'components/session/content/prose.css'
  ]
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  const used = css.match(/#[0-9a-f]{3,8}\b/gi) ?? []
  expect(used.filter(hex => !table.includes(hex.slice(0, 7).toLowerCase()))).toEqual([])
})

test('components contain no color values', () => {
  for (const file of readdirSync('components', { recursive: true, encoding: 'utf8' }))
    if (/(?<!\.test)\.tsx?$/.test(file))
      expect(readFileSync(`components/${file}`, 'utf8'), file).not.toMatch(
        /#[0-9a-f]{6}\b|\b(?:rgba?|hsla?|oklch)\(/i
      )
})

test('pages on which nothing waits use neither the color of a wait nor that of a settled call', () => {
  // A trial is a session, and the list of agents counts requests.
  for (const folder of ['agents', 'deliveries', 'plugins', 'settings', 'wikis'])
    for (const file of readdirSync(`components/${folder}`, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.tsx') && !file.startsWith('try/') && file !== 'agent-list.tsx')
        expect(readFileSync(`components/${folder}/${file}`, 'utf8'), file).not.toMatch(
          /\b(?:text|bg|border|border-[lrtb])-(?:you|other|settled)\b/
        )
})
