import type { Call } from '@waystation/protocol/call/call.ts'
import { test } from 'vitest'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('an error explains why a change of an agent cannot be undone', async () => {
  const server = await startTestServer()
  await createWiki(server.ctx, { name: 'garden' })
  await server.saveAgent({ chat: { tools: [{ name: 'wiki-write', approval: 'auto' }] } })
  const session = await server.startSession('test')
  const write = async (title: string) => {
    await session.runTurn(`use wiki-write ${JSON.stringify({ title, text: 'Red.' })}`)
    const { output } = (await session.get()).calls.at(-1) as Call
    return (output as { change: string }).change
  }
  const undo = (changeId: string) =>
    callEndpoint(wikiOperations.undo, { params: { wiki: 'garden', changeId } })
  const [rose, firstOak] = [await write('Rose'), await write('Oak')]
  await write('Oak')
  await importWiki(server.ctx, {
    wiki: 'garden',
    file: 'a.json',
    text: '[{"title": "Rose", "text": "Mine."}]'
  })
  await expectSentences([
    [
      'the agent changed the tiddler again',
      () => undo(firstOak),
      'The tiddler "Oak" has changed since. Nothing was undone. Undo its later changes first.'
    ],
    [
      'the tiddler was imported',
      () => undo(rose),
      'The tiddler "Rose" was imported after this change, so the change cannot be undone.'
    ]
  ])
})

test('errors explain why a wiki cannot be created, read or imported', async () => {
  const { startSession } = await startTestServer()
  const { id: sessionId } = await startSession()
  const create = () => callEndpoint(wikiOperations.create, { body: { name: 'notes' } })
  const notes = { params: { wiki: 'notes' } }
  const imports = (raw: string, file: string) =>
    callEndpoint(wikiOperations.import, { ...notes, raw, query: { file } })
  const renders = async (text: string) =>
    (await callEndpoint(wikiOperations.render, { params: { sessionId }, body: { text } })).body.problem
  const slowText =
    '<$let re="^(a+)+$"><$list filter="[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]regexp<re>]"/></$let>'
  await create()
  await expectSentences([
    ['a name that is taken', create, 'A wiki named "notes" already exists. Choose another name.'],
    [
      'a file of another kind',
      () => imports('x', 'a.docx'),
      'Only .json, .tid and .html files of TiddlyWiki can be imported.'
    ],
    [
      'a file that cannot be read',
      () => imports('{', 'a.json'),
      'This is not a TiddlyWiki .json file, or the file is encrypted. Nothing was imported.'
    ],
    [
      'a tiddler that is not there',
      () => callEndpoint(wikiOperations.read, { ...notes, query: { title: 'Oak' } }),
      'There is no tiddler "Oak".'
    ],
    [
      'a text that never ends',
      () => renders(slowText),
      'TiddlyWiki took too long or ran out of memory, so it was stopped. Look for macros or filters that never end.'
    ]
  ])
})
