import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { asvsRequirements } from './asvs-requirements.ts'

const table = 'docs/asvs.md'
const text = readFileSync(table, 'utf8')

type Row = { number: string; level: string; verdict: string; where: string }

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (\S+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number = '', level = '', verdict = '', where = '']): Row => ({ number, level, verdict, where })
)

/**
 * Returns each link of a page below docs/: its target path from the root of the repository, and the quote after it.
 */
const linksOf = (file: string, markdown: string) =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)(?: “([^”]+)”)?/g)].flatMap(([, target = '', quoted]) => {
    if (/^https?:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    return [{ target, path: path === '' ? file : join(dirname(file), path), anchor, quoted }]
  })

/** Returns the anchors of a page's headings, as GitHub generates them. */
const anchorsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  )

test('22 A12: the table contains each requirement of ASVS 5.0 of the levels 1 and 2 once, with its level', () => {
  const inTable = rows.map(({ number, level }) => `${number} L${level}`)
  const expected = ([1, 2] as const).flatMap(level =>
    asvsRequirements[level].map(number => `${number} L${level}`)
  )
  expect(expected).toHaveLength(253)
  expect(inTable.toSorted()).toEqual(expected.toSorted())
  expect(text.match(/^\| \d/gm)).toHaveLength(rows.length)
})

test('22 A12: a requirement that is met has a test or a page, and every other one has a reason', () => {
  const problems = rows.flatMap(({ number, verdict, where }) => {
    const links = linksOf(table, where)
    if (verdict === 'met') return links.length > 0 ? [] : [`${number} is met, and nothing shows it`]
    if (verdict === 'not met' || verdict === 'not applicable')
      return where.length >= 10 ? [] : [`${number}: why?`]
    return [`${number} is “${verdict}”`]
  })
  expect(problems).toEqual([])
})

test.each([table, 'docs/security.md', 'SECURITY.md', 'docs/decisions/046-security-review.md'])(
  '22 A12: every test and page that %s links exists, with its heading and its title',
  file => {
    const links = linksOf(file, readFileSync(file, 'utf8'))
    const missing = links.filter(({ path }) => !existsSync(path))
    expect(missing.map(({ target }) => target)).toEqual([])
    const wrong = links.filter(
      ({ path, anchor, quoted }) =>
        (anchor !== undefined && !anchorsOf(path).includes(anchor)) ||
        (quoted !== undefined && !readFileSync(path, 'utf8').includes(quoted))
    )
    expect(wrong.map(({ target, quoted }) => quoted ?? target)).toEqual([])
    expect(links.length).toBeGreaterThan(0)
  }
)
