import { expect, onTestFinished, test } from 'vitest'
import { wikiEngine } from '#lib/features/wikis/engine.ts'

test('22 A2: a wiki that says itself how it is written cannot make a file of any size', async () => {
  const ask = wikiEngine()
  onTestFinished(ask.stop)
  const vast = '<$text text={{{ [[a]pad[10000000]] }}}/>'.repeat(7)
  const tiddlers = JSON.stringify([{ title: '$:/core/save/all', text: vast }])
  const own = { key: 'own@1', load: async () => tiddlers }
  expect(await ask('html', {}, 'w', own)).toMatchObject({ kind: 'failed' })
})
