import { wikiEngine } from '@waystation/tiddlywiki'
import { expect, onTestFinished, test } from 'vitest'

test('22 A2: a wiki that defines its own save template cannot produce a file of unlimited size', async () => {
  const ask = wikiEngine()
  onTestFinished(ask.stop)
  const largeText = '<$text text={{{ [[a]pad[10000000]] }}}/>'.repeat(7)
  const tiddlers = JSON.stringify([{ title: '$:/core/save/all', text: largeText }])
  const ownTemplate = { key: 'own@1', load: async () => tiddlers }
  expect(await ask('html', {}, 'w', ownTemplate)).toMatchObject({ kind: 'failed' })
})
