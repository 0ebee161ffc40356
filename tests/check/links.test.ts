import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { parsePage } from '#scripts/prose/parse-page.ts'

type Node = { type: string; url?: string; value?: string; children?: Node[] }

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  {
    encoding: 'utf8'
  }
)
  .split('\0')
  .filter(file => file !== '' && existsSync(file))
const pages = files.filter(file => file.endsWith('.md'))
const treeOf = (page: string) => parsePage(readFileSync(page, 'utf8')) as Node

const nodesIn = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesIn)]
const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join('')

/** Returns the anchors of a page's headings, as GitHub generates them, and those of `<a id="…">`. */
function anchorsIn(page: string): Set<string> {
  const seen = new Map<string, number>()
  const nodes = nodesIn(treeOf(page))
  const headings = nodes
    .filter(({ type }) => type === 'heading')
    .map(node => {
      const slug = textOf(node)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
        .replace(/\s/g, '-')
      const nth = seen.get(slug) ?? 0
      seen.set(slug, nth + 1)
      return nth === 0 ? slug : `${slug}-${nth}`
    })
  const explicitIds = nodes.flatMap(({ type, value = '' }) =>
    type === 'html' ? [...value.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id) : []
  )
  return new Set([...headings, ...explicitIds])
}

const anchors = new Map<string, Set<string>>()
function exists(path: string, anchor: string | undefined): boolean {
  if (!existsSync(path)) return false
  if (!anchor || statSync(path).isDirectory() || !path.endsWith('.md')) return true
  const known = anchors.get(path) ?? anchorsIn(path)
  anchors.set(path, known)
  return known.has(anchor)
}

test.each(pages)('the links of %s lead to a file and a heading that exist', page => {
  const links = nodesIn(treeOf(page)).flatMap(({ type, url, value = '' }) => {
    if (type === 'html')
      return [...value.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, link = '']) => link)
    return url !== undefined && /^(?:link|image|definition)$/.test(type) ? [url] : []
  })
  const dead = links
    .filter(link => !/^(?:[a-z]+:|\/)/i.test(link))
    .filter(link => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
      return !exists(target, anchor)
    })
  expect(dead).toEqual([])
})

test('every page or folder of the documentation that code, settings or the UI name exists', () => {
  const references = files
    .filter(file => /\.(?:tsx?|mjs|json|ya?ml|proto|sql)$|^(?:Dockerfile|\.env\.example)$/.test(file))
    .filter(file => !file.includes('/generated/') && file !== 'package-lock.json')
    .flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w/.-])docs\/[\w/-]+(?:\.\w+)?(?:#[\w-]+)?/g)].map(
        ([link]) => ({ file, link })
      )
    )
  const dead = references.filter(({ link }) => {
    const [path = '', anchor] = link.split('#')
    return !exists(path, anchor) && !exists(`${path}.md`, anchor)
  })
  expect(dead).toEqual([])
})
