/**
 * Checks the prose of documentation, UI texts, comments and test titles as part of `npm run check`. Run it alone
 * with `node scripts/prose/check.ts [path…]`. `--figures` also prints the figures of the documentation.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#scripts/setup/root.mjs'
import { type Block, type Kind, type Sentence, sentencesOf } from './block.ts'
import { exempt } from './exempt.ts'
import { figuresOf } from './figures.ts'
import { markdownBlocks } from './markdown.ts'
import { brokenRules } from './rules.ts'
import { sourceBlocks } from './source.ts'

const args = process.argv.slice(2)
const paths = args.filter(arg => !arg.startsWith('--'))
const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...paths],
  { cwd: root, encoding: 'utf8' }
)
  .split('\0')
  .filter(file => /\.(?:md|tsx?|mjs)$|^\.env\.example$/.test(file) && existsSync(join(root, file)))

let hits = 0
const documentation: Sentence[] = []
for (const file of files)
  for (const sentence of blocksOf(file).flatMap(sentencesOf)) {
    if (isExempt(file, sentence.kind)) continue
    if (isDocumentation(file)) documentation.push(sentence)
    for (const rule of brokenRules(sentence)) {
      hits++
      console.log(`${file}:${sentence.line}  ${rule}\n    ${sentence.text}`)
    }
  }
const figures = figuresOf(documentation)
const missed = paths.length === 0 ? figures.filter(({ met }) => !met) : []
for (const { line } of args.includes('--figures') ? figures : missed) console.log(line)
if (hits > 0) console.log(`\n${hits} sentences to rewrite. docs/contributing/style.md has the rules.`)
process.exitCode = hits + missed.length === 0 ? 0 : 1

function blocksOf(file: string): Block[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.md')) return markdownBlocks(text)
  if (file === '.env.example')
    return markdownBlocks(text.replace(/^#? ?[A-Z_]+=.*$/gm, '').replace(/^# ?/gm, ''))
  return sourceBlocks(file, text)
}

function isExempt(file: string, kind: Kind): boolean {
  if (kind === 'comment' || kind === 'title') return false
  if (kind === 'text' || kind === 'model') return exempt.texts.some(prefix => file.startsWith(prefix))
  return exempt.pages.test(file)
}

function isDocumentation(file: string): boolean {
  return /^(?:README\.md$|docs\/|examples\/|lib\/|packages\/)/.test(file) && file.endsWith('.md')
}
