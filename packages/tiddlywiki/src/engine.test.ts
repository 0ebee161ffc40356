import { execFileSync } from 'node:child_process'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { wikiEngine } from './engine.ts'
import type { LoadedWiki } from './wiki-engine.ts'

const ask = wikiEngine({ limitMs: 1_000 })
afterAll(() => ask.stop())

let loads = 0
const wiki = (key: string, tiddlers: object[]): LoadedWiki => ({
  key,
  async load() {
    loads++
    return JSON.stringify(tiddlers)
  }
})
const slow =
  '<$let re="^(a+)+$"><$list filter="[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]regexp<re>]"/></$let>'
const home = '/wikis/x'

test('001-20: a wiki is loaded once for each of its revisions', async () => {
  const [older, newer] = [
    wiki('one@1', [{ title: 'A', text: 'old' }]),
    wiki('one@2', [{ title: 'A', text: 'new' }])
  ]
  for (const [state, text] of [
    [older, 'old'],
    [older, 'old'],
    [newer, 'new'],
    [newer, 'new']
  ] as const)
    expect(await ask('tiddler', { title: 'A', home }, 'w', state)).toMatchObject({
      kind: 'done',
      value: expect.stringContaining(text)
    })
  expect(loads).toBe(2)
})

test('001-20: macros and procedures of all global tiddlers work in wikitext, as they do in a tiddler', async () => {
  const macros = wiki('macros@1', [
    { title: 'Old', text: '\\define old() one', tags: '$:/tags/Macro' },
    { title: 'New', text: '\\procedure new() two', tags: '$:/tags/Global' },
    { title: 'A', text: '<<old>> <<new>>' }
  ])
  for (const answer of [
    await ask('tiddler', { title: 'A', home }, 'w', macros),
    await ask('wikitext', { text: '<<old>> <<new>>', home }, 'w', macros)
  ])
    expect(answer).toMatchObject({ kind: 'done', value: expect.stringContaining('one two') })
})

test('001-20: a filter with an error fails instead of returning the error as a title', async () => {
  const plants = wiki('plants@1', [{ title: 'Rose', tags: 'plant' }])
  const filtered = (filter: string) => ask('filter', { filter, most: 10 }, 'w', plants)
  expect(await filtered('[tag[plant]]')).toMatchObject({ kind: 'done', value: { titles: ['Rose'] } })
  for (const filter of ['[tag[plant', '[[a]] :cascade[x'])
    expect(await filtered(filter)).toMatchObject({ kind: 'failed' })
})

test('001-20: a wiki cannot read the content of another wiki', async () => {
  const secretWiki = wiki('mine@1', [{ title: 'Mine', text: 'secret', tags: '$:/tags/Global' }])
  await ask('tiddler', { title: 'Mine', home }, 'w', secretWiki)
  const otherWiki = wiki('theirs@1', [{ title: 'A', text: '{{Mine}} {{{ [all[tiddlers]!is[shadow]] }}}' }])
  const answer = await ask('tiddler', { title: 'A', home }, 'w', otherWiki)
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect(await ask('wikitext', { text: '{{Mine}}{{A}}' }, 'w')).toMatchObject({
    kind: 'done',
    value: expect.not.stringContaining('secret')
  })
})

test('001-20: rendering that does not end is late, questions queued behind it are busy, and later ones succeed', async () => {
  const ask = wikiEngine({ limitMs: 200, patienceMs: 1_000 })
  onTestFinished(ask.stop)
  const evil = wiki('evil@1', [{ title: 'A', text: slow }])
  const first = await ask('tiddler', { title: 'A', home }, 'w', evil)
  expect(first).toEqual({ kind: 'late', at: undefined })
  const many = await Promise.all(
    Array.from({ length: 9 }, () => ask('tiddler', { title: 'A', home }, 'w', evil))
  )
  expect(new Set(many.map(({ kind }) => kind))).toEqual(new Set(['late', 'busy']))
  await expect
    .poll(() => ask('wikitext', { text: "''well''" }, 'w'))
    .toEqual({ kind: 'done', value: expect.stringContaining('<strong>well</strong>') })
}, 60_000)

test('001-20: rendering that needs too much memory ends the thread, not this process', async () => {
  const grows = '\\define g(x) <$macrocall $name=g x="$x$$x$$x$$x$"/>\n<<g aaaaaaaaaaaaaaaa>>'
  const answer = await ask('wikitext', { text: grows }, 'w')
  expect(['late', 'failed']).toContain(answer.kind)
  expect(await ask('wikitext', { text: 'well' }, 'w')).toMatchObject({ kind: 'done' })
}, 60_000)

test('22 A2: the question after a thread has died gets a new thread at once', async () => {
  const ask = wikiEngine({ looseMs: 60_000, limitMs: 60_000 })
  onTestFinished(ask.stop)
  const fine = wiki('fine@1', [{ title: 'A', text: 'fine' }])
  const askBoth = () =>
    Promise.all([ask('wikitext', { text: 'well' }, 'w'), ask('tiddler', { title: 'A', home }, 'w', fine)])
  await askBoth()
  const pids = threads()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect((await askBoth()).map(({ kind }) => kind)).toEqual(['done', 'done'])
}, 30_000)

test('22 A4: wikitext of end users has its own thread and limit, and a workspace waits for at most one question of each other', async () => {
  const ask = wikiEngine({ limitMs: 60_000, looseMs: 50 })
  onTestFinished(ask.stop)
  const order: string[] = []
  const record = async (name: string, answer: Promise<{ kind: string }>) => {
    const { kind } = await answer
    order.push(name)
    return kind
  }
  const evil = `<$let re="^(a+)+$"><$list filter="[[${'a'.repeat(40)}b]regexp<re>]"/></$let>`
  const loose = Array.from({ length: 3 }, () => ask('wikitext', { text: evil }, 'one token'))
  const fine = wiki('fine@1', [{ title: 'A', text: 'fine' }])
  const many = Array.from({ length: 4 }, (_, n) =>
    record(`one ${n}`, ask('tiddler', { title: 'A', home }, 'one', fine))
  )
  const other = record('other', ask('tiddler', { title: 'A', home }, 'other', fine))
  expect(await Promise.all([...many, other])).toEqual(Array(5).fill('done'))
  expect(order).toEqual(['one 0', 'one 1', 'other', 'one 2', 'one 3'])
  expect((await loose[0])?.kind).toBe('late')
}, 60_000)

test('22 A4: the export of a whole wiki does not delay questions about tiddlers', async () => {
  const ask = wikiEngine()
  onTestFinished(ask.stop)
  const fine = wiki('fine@1', [{ title: 'A', text: 'fine' }])
  await ask('tiddler', { title: 'A', home }, 'w', fine)
  const order: string[] = []
  const exports = Array.from({ length: 3 }, () =>
    ask('html', {}, 'other', fine).then(({ kind }) => order.push(`export ${kind}`))
  )
  const tiddler = ask('tiddler', { title: 'A', home }, 'w', fine).then(({ kind }) => order.push(kind))
  await Promise.all([...exports, tiddler])
  expect(order).toEqual(['done', ...Array(3).fill('export done')])
}, 60_000)

/** Returns the process IDs of this process's worker threads, which are child processes. */
function threads(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap(line => {
    const [pid, parent] = line.trim().split(/\s+/)
    return Number(parent) === process.pid && line.includes('thread-process.ts') ? [Number(pid)] : []
  })
}

/** Returns whether a process exists or is a zombie. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
