import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { test } from 'vitest'
import { uploadFile } from '#lib/features/attachments/upload-file.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { png } from '#tests/support/browser/png.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { replyError } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('errors explain why a file is not accepted', async () => {
  const { startSession: openSession } = await startTestServer({
    settings: {
      ...{ WAYSTATION_FILE_BYTES: '2048', WAYSTATION_SESSION_FILE_BYTES: '3000' },
      WAYSTATION_FILES_PER_MESSAGE: '2'
    }
  })
  const [first, other] = [await openSession(), await openSession()]
  const upload = (text: string, name: string, type = 'text/plain', sessionId = first.id) =>
    callEndpoint(fileOperations.upload, {
      ...{ params: { sessionId }, query: { name }, raw: text, headers: { 'content-type': type } }
    })
  const uploadedId = async (name: string, sessionId?: string) =>
    String((await upload('x'.repeat(1000), name, 'text/plain', sessionId)).body.id)
  const sendFiles = (files: string[]) =>
    callEndpoint(sessionOperations.send, {
      params: { sessionId: first.id },
      body: { text: 'Look', files, whenBusy: 'queue' }
    })
  const [a, b] = [await uploadedId('a.txt'), await uploadedId('b.txt', other.id)]
  await expectSentences([
    ['nothing', () => upload('', 'a.txt'), 'a.txt is empty. Attach a file that has content.'],
    [
      'more than a file may be',
      () => upload('x'.repeat(3000), 'a.txt'),
      'This file is larger than the limit of 2 KB. Send a smaller file.'
    ],
    [
      'a type that is none',
      () => upload('x', 'a.txt', 'cat'),
      '"cat" is not a media type. Send a Content-Type such as text/plain, or none.'
    ],
    [
      'an image that is none',
      () => upload('x', 'a.png', 'image/png'),
      'a.png is declared as image/png, but its content is not of that type. Send the original file, or correct the type.'
    ],
    [
      'more than a session may hold',
      () => upload('x'.repeat(2048), 'c.txt'),
      'c.txt does not fit: the files of a session can have 3 KB in total. Delete a turn with files, or start a new session.'
    ],
    [
      'too many with a message',
      () => sendFiles([a, a, a]),
      'A message can have up to 2 files. Send the other files in another message.'
    ],
    ['one twice', () => sendFiles([a, a]), 'This message has the same file twice. Attach each file once.'],
    [
      'one of another session',
      () => sendFiles([b]),
      `There is no file "${b}" in this session. Files that are not sent are deleted after a day: upload it again.`
    ],
    [
      'one that was sent',
      () => sendFiles([a]).then(() => sendFiles([a])),
      'a.txt was already sent in another message. To send it again, upload it again.'
    ]
  ])
})

test('an error explains that a model accepts no files', async () => {
  const {
    ctx,
    saveAgent,
    startSession: openSession
  } = await startTestServer({
    script: [replyError(400, { message: 'No images, please.' })]
  })
  await saveAgent({ chat: { attachments: { images: true } } as Partial<ChatConfig> })
  const session = await openSession('test')
  const cat = { name: 'cat.png', declared: 'image/png', bytes: png(2, 2) }
  const { id } = await uploadFile(ctx, { sessionId: session.id, ...cat })
  const failed = await session.runTurn('Look', { files: [id] })
  await expectSentences([
    [
      'its provider rejects the request',
      () => failed.error?.message,
      'The model server rejected the request (400): “No images, please.” The request had an attached file. If the model does not accept files, set "attachments" of the agent, or delete the turn with the file.'
    ]
  ])
})
