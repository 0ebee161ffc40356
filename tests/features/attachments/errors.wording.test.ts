import { test } from 'vitest'
import { fileOperations } from '#lib/http/operations/files.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { ChatConfig } from '#lib/protocol/agent.ts'
import { uploadFile } from '#lib/sessions/upload-file.ts'
import { png } from '#tests/support/browser/pictures.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { fails } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('the words for a file that is not taken', async () => {
  const { session: open } = await testWorld({
    settings: {
      ...{ WAYSTATION_FILE_BYTES: '2048', WAYSTATION_SESSION_FILE_BYTES: '3000' },
      WAYSTATION_FILES_PER_MESSAGE: '2'
    }
  })
  const [one, other] = [await open(), await open()]
  const upload = (text: string, name: string, type = 'text/plain', sessionId = one.id) =>
    callEndpoint(fileOperations.upload, {
      ...{ params: { sessionId }, query: { name }, raw: text, headers: { 'content-type': type } }
    })
  const kept = async (name: string, sessionId?: string) =>
    String((await upload('x'.repeat(1000), name, 'text/plain', sessionId)).body.id)
  const sends = (files: string[]) =>
    callEndpoint(sessionOperations.send, {
      params: { sessionId: one.id },
      body: { text: 'Look', files, whenBusy: 'queue' }
    })
  const [a, b] = [await kept('a.txt'), await kept('b.txt', other.id)]
  await expectSentences([
    ['nothing', () => upload('', 'a.txt'), 'a.txt is empty. Attach a file with something in it.'],
    [
      'more than a file may be',
      () => upload('x'.repeat(3000), 'a.txt'),
      'This file is larger than 2 KB, the most that a file may be. Send a smaller one.'
    ],
    [
      'a type that is none',
      () => upload('x', 'a.txt', 'cat'),
      '"cat" is no media type. Send one like text/plain as Content-Type, or none.'
    ],
    [
      'an image that is none',
      () => upload('x', 'a.png', 'image/png'),
      'a.png is said to be image/png, but its content is not. Send the file itself, or with the type that it has.'
    ],
    [
      'more than a session may hold',
      () => upload('x'.repeat(2048), 'c.txt'),
      "This session's files may be 3 KB together, and c.txt is too much for that. Delete a turn with files, or go on in a new session."
    ],
    [
      'too many with a message',
      () => sends([a, a, a]),
      'At most 2 files go with a message. Send the others with another one.'
    ],
    ['one twice', () => sends([a, a]), 'A file stands in this message twice. Name each once.'],
    [
      'one of another session',
      () => sends([b]),
      `There is no file "${b}" in this session: it was never here, or nobody sent it for a day. Upload it again.`
    ],
    [
      'one that was sent',
      () => sends([a]).then(() => sends([a])),
      'a.txt was sent in another message. Upload it again to send it again.'
    ]
  ])
})

test('the words for a model that takes no files', async () => {
  const {
    ctx,
    agent,
    session: open
  } = await testWorld({
    script: [fails(400, { message: 'No images, please.' })]
  })
  await agent({ chat: { attachments: { images: true } } as Partial<ChatConfig> })
  const session = await open('test')
  const cat = { name: 'cat.png', declared: 'image/png', bytes: png(2, 2) }
  const { id } = await uploadFile(ctx, { sessionId: session.id, ...cat })
  const failed = await session.says('Look', { files: [id] })
  await expectSentences([
    [
      'its provider rejects the request',
      () => failed.error?.message,
      'The provider rejected the request (400): “No images, please.” It was sent an attached file, which this model may not take: set "attachments" of the agent, or delete the turn with the file.'
    ]
  ])
})
