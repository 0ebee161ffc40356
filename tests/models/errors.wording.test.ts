import { APICallError, LoadAPIKeyError, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import type { HostedPlugin } from '@waystation/plugin-host/contract.ts'
import type { StatusEvent } from '@waystation/protocol/session/event.ts'
import { NoOutputGeneratedError } from 'ai'
import { test } from 'vitest'
import { describeModelError } from '#lib/models/model-error.ts'
import { pluginModel } from '#lib/models/providers/plugin.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import {
  type Reply,
  replyError,
  replyFiltered,
  replyRefusal,
  replyThenError,
  replyThenInvalidJson
} from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const failures: [what: string, reply: Reply, sentence: string][] = [
  [
    'a key that is not accepted',
    replyError(401),
    'The model server rejected the API key. Check OPENAI_API_KEY and restart the server.'
  ],
  [
    'no payment',
    replyError(402),
    'The model server requires payment. Check the account there, then try again.'
  ],
  [
    'a key that may not do this',
    replyError(403),
    'The model server denied access (403). The API key may not allow this model or region. Check OPENAI_API_KEY and restart the server.'
  ],
  [
    'a model that is not there',
    replyError(404, { message: 'The model gpt-9 does not exist.' }),
    'The model server does not know this model or URL (404): “The model gpt-9 does not exist.”'
  ],
  ['too many requests', replyError(429), 'The rate limit of the model server was reached.'],
  [
    'an empty account',
    replyError(429, { code: 'insufficient_quota' }),
    'The model server reports an account without credit. Add credit, then try again.'
  ],
  ['trouble', replyError(503), 'The model server is having problems (503).'],
  ['trouble in the middle of an answer', replyThenError('One'), 'The model server is having problems.'],
  [
    'a stream that is no JSON',
    replyThenInvalidJson('One'),
    'The model server sent a response that cannot be read.'
  ],
  [
    'a conversation that is too long',
    replyError(400, { code: 'context_length_exceeded' }),
    'The conversation is longer than the context window of this model.'
  ],
  [
    'a filter before the answer',
    replyError(400, { code: 'content_filter' }),
    'The content filter of the model server blocked this request. Rephrase your message and try again.'
  ],
  [
    'a filter in the middle of the answer',
    replyFiltered('I would rather'),
    "The model provider's content filter stopped the answer. Rephrase your message and try again."
  ]
]

test('errors explain why the model of a turn failed', async () => {
  const { startSession: openSession } = await startTestServer({
    script: ({ body }) => failures[Number(body.messages.at(-1)?.content)]?.[1] ?? replyRefusal('No.')
  })
  await expectSentences(
    failures.map(([label, , sentence], n) => [
      label,
      async () => {
        const session = await openSession()
        await session.send(String(n))
        const failed = await session.waitForEvent(
          event => event.type === 'status' && event.error !== undefined
        )
        return (failed as StatusEvent).error?.message
      },
      sentence
    ])
  )
})

const errno = (code: string) => Object.assign(new Error(code), { code })
const unreachableText = (reason: string) => `The model provider cannot be reached: ${reason}.`
const failed = (status: number | undefined, cause?: Error) =>
  new APICallError({
    message: 'no',
    url: 'https://api.example',
    requestBodyValues: {},
    statusCode: status,
    cause
  })

test('errors explain why a provider cannot be reached', () =>
  expectSentences(
    [
      ['ECONNRESET', 'it closed the connection'],
      ['ENOTFOUND', 'its host name was not found'],
      ['EAI_AGAIN', 'its host name cannot be resolved right now'],
      ['EHOSTUNREACH', 'there is no route to its address'],
      ['ETIMEDOUT', 'it did not respond in time'],
      ['UND_ERR_BODY_TIMEOUT', 'it stopped in the middle of its response'],
      ['CERT_HAS_EXPIRED', 'its certificate is not trusted']
    ].map(([code = '', reason = '']) => [
      code,
      () => describeModelError(failed(undefined, errno(code))).message,
      unreachableText(reason)
    ])
  ))

test('errors explain that a model is not configured', () =>
  expectSentences([
    [
      'no key',
      () => describeModelError(new LoadAPIKeyError({ message: 'no' })).message,
      'The model provider has no API key. An owner can add one under Settings → Models.'
    ],
    [
      'no answer',
      () => describeModelError(new NoOutputGeneratedError()).message,
      'The model returned no answer.'
    ],
    [
      'a conversation that its provider has no form for',
      () => describeModelError(new UnsupportedFunctionalityError({ functionality: 'files' })).message,
      'The conversation has content that this model does not support.'
    ],
    [
      'a plugin that is not there',
      () => pluginModel({ plugin: 'none', model: 'm' }, []),
      'This workspace has no plugin "none". Add it to the workspace file, or choose another model.'
    ],
    [
      'a plugin without models',
      () =>
        pluginModel({ plugin: 'weather', model: 'm' }, [
          { name: 'weather', hasModel: false } as HostedPlugin
        ]),
      'The plugin "weather" has no models or has not started yet.'
    ]
  ]))
