import { expect, test } from 'vitest'
import { type Block, sentencesOf } from './block.ts'
import { figuresOf } from './figures.ts'
import { markdownBlocks } from './markdown.ts'
import { brokenRules } from './rules.ts'
import { sourceBlocks } from './source.ts'

/** Returns `line: rule` for each rule that a text breaks. */
const hits = (blocks: Block[]) =>
  blocks
    .flatMap(sentencesOf)
    .flatMap(sentence => brokenRules(sentence).map(rule => `${sentence.line}: ${rule}`))
const inMarkdown = (text: string) => hits(markdownBlocks(text))
const inSource = (text: string, file = 'lib/a.ts') => hits(sourceBlocks(file, text))

test('the check reports a sentence that breaks a rule in paragraphs, lists, headings and tables, with its line', () => {
  const text =
    '# Who answers\n\nIt runs.\nNobody\nis told.\n\n- Run it anew.\n\n| a | b |\n|---|---|\n| This counts as one | 7 |\n'
  expect(inMarkdown(text)).toEqual([
    '1: starts with What, Who or Whether',
    '4: names no role',
    '5: is told',
    '7: old form',
    '11: counts as'
  ])
})

test('a question may start with Who', () => {
  expect(inMarkdown('Who answers?')).toEqual([])
})

test('code, quotes, block quotes and a paragraph after a prose-ignore comment are exempt', () => {
  expect(inMarkdown('Run `anew`. Write "anew".\n\n> anew\n\n```\nanew\n```')).toEqual([])
  expect(inMarkdown('<!-- prose-ignore: the name of a song -->\n\nIt runs anew.\n\nIt runs anew.')).toEqual([
    '5: old form'
  ])
})

test('a sentence can have at most 25 words in documentation and 20 in a text', () => {
  const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`
  expect(inMarkdown(words(25))).toEqual([])
  expect(inMarkdown(words(26))).toEqual(['1: 26 words, at most 25'])
  expect(inSource(`const a = '${words(20)}'`)).toEqual([])
  expect(inSource(`const a = '${words(21)}'`)).toEqual(['1: 21 words, at most 20'])
})

test('the check reads texts, templates, JSX, comments and test titles of source files, but no code', () => {
  const source = [
    "import { whatever } from './whatever is here.ts'",
    "throw new Error('Nobody has answered this.')",
    'say(`Nobody answered $' + '{count} calls.`)',
    'const page = <p className="somebody is here">Nobody is here.</p>',
    '// Nobody calls this.',
    '/** Whatever',
    ' *  comes, is read. */',
    'sql`select nobody from somebody where whatever`'
  ].join('\n')
  expect(inSource(source, 'lib/a.tsx')).toEqual([
    '5: names no role',
    '6: starts with What, Who or Whether',
    '6: names no role',
    '2: names no role',
    '3: names no role',
    '4: names no role'
  ])
  expect(inSource("test('nobody is let in', () => { say('Nobody is here.') })", 'lib/a.test.ts')).toEqual([
    '1: names no role'
  ])
})

test('a line of source after a prose-ignore comment is exempt', () => {
  expect(inSource("// prose-ignore: other people's words\nconst a = 'Nobody is here now.'")).toEqual([])
})

test('the averages of the documentation have limits', () => {
  const sentences = markdownBlocks('Set the port of your server. Nothing is here for anyone.').flatMap(
    sentencesOf
  )
  const met = figuresOf(sentences).map(({ met: kept }) => kept)
  expect(met).toEqual([true, false, true, true, true, true])
})
