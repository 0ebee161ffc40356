import { test } from 'vitest'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

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
