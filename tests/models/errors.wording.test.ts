import { APICallError, LoadAPIKeyError, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import { NoOutputGeneratedError } from 'ai'
import { test } from 'vitest'
import type { HostedPlugin } from '#lib/kernel/plugin-host.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { pluginModel } from '#lib/models/providers/plugin.ts'
import type { StatusEvent } from '#lib/protocol/event.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { breaks, fails, filters, garbles, type Reply, refuses } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const failures: [what: string, reply: Reply, sentence: string][] = [
  [
    'a key that is not accepted',
    fails(401),
    'The model’s provider did not accept the key. Check OPENAI_API_KEY and restart.'
  ],
  ['no payment', fails(402), 'The model’s provider asks for payment before it answers more.'],
  [
    'a key that may not do this',
    fails(403),
    'The model’s provider refused access (403): the key may not use this model or place.'
  ],
  [
    'a model that is not there',
    fails(404, { message: 'The model gpt-9 does not exist.' }),
    'The provider does not know this model or address (404): “The model gpt-9 does not exist.”'
  ],
  ['too many requests', fails(429), 'The model’s provider takes no more requests right now.'],
  [
    'an empty account',
    fails(429, { code: 'insufficient_quota' }),
    'The account at the model’s provider has no credit left. Add credit there, then try again.'
  ],
  ['trouble', fails(503), 'The model’s provider is having trouble (503).'],
  ['trouble in the middle of an answer', breaks('One'), 'The model’s provider is having trouble.'],
  ['a stream that is no JSON', garbles('One'), 'The model’s provider sent an answer that cannot be read.'],
  [
    'a conversation that is too long',
    fails(400, { code: 'context_length_exceeded' }),
    'The conversation is longer than this model can read.'
  ],
  [
    'a filter before the answer',
    fails(400, { code: 'content_filter' }),
    'The model’s provider declined this request: its content filter stopped it.'
  ],
  [
    'a filter in the middle of the answer',
    filters('I would rather'),
    'The model declined to answer this: its provider filtered the content. Say it differently to go on.'
  ]
]

test('the words for a turn whose model failed', async () => {
  const { session: open } = await testWorld({
    script: ({ body }) => failures[Number(body.messages.at(-1)?.content)]?.[1] ?? refuses('No.')
  })
  await expectSentences(
    failures.map(([what, , sentence], n) => [
      what,
      async () => {
        const session = await open()
        await session.send(String(n))
        const failed = await session.sees(event => event.type === 'status' && event.error !== undefined)
        return (failed as StatusEvent).error?.message
      },
      sentence
    ])
  )
})

const errno = (code: string) => Object.assign(new Error(code), { code })
const unreachable = (why: string) => `The model’s provider cannot be reached: ${why}.`
const failed = (status: number | undefined, cause?: Error) =>
  new APICallError({
    message: 'no',
    url: 'https://api.example',
    requestBodyValues: {},
    statusCode: status,
    cause
  })

test('the words for a provider that cannot be reached', () =>
  expectSentences(
    [
      ['ECONNRESET', 'it closed the connection'],
      ['ENOTFOUND', 'its name cannot be found'],
      ['EAI_AGAIN', 'its name cannot be looked up right now'],
      ['EHOSTUNREACH', 'there is no way to its address'],
      ['ETIMEDOUT', 'it did not answer in time'],
      ['UND_ERR_BODY_TIMEOUT', 'it stopped in the middle of the answer'],
      ['CERT_HAS_EXPIRED', 'its certificate cannot be trusted']
    ].map(([code = '', why = '']) => [
      code,
      () => describeModelError(failed(undefined, errno(code))).message,
      unreachable(why)
    ])
  ))

test('the words for a model that is not set up', () =>
  expectSentences([
    [
      'no key',
      () => describeModelError(new LoadAPIKeyError({ message: 'no' })).message,
      'The model’s provider has no key. Set OPENAI_API_KEY and restart.'
    ],
    [
      'no answer',
      () => describeModelError(new NoOutputGeneratedError()).message,
      'The model ended without an answer.'
    ],
    [
      'a conversation that its provider has no form for',
      () => describeModelError(new UnsupportedFunctionalityError({ functionality: 'files' })).message,
      'The conversation could not be put into a form that this model accepts.'
    ],
    [
      'a plugin that is not there',
      () => pluginModel({ plugin: 'none', model: 'm' }, []),
      'This workspace has no plugin "none". Its file says which it has.'
    ],
    [
      'a plugin without models',
      () =>
        pluginModel({ plugin: 'weather', model: 'm' }, [
          { name: 'weather', hasModel: false } as HostedPlugin
        ]),
      'The plugin "weather" has no models, or it has not started yet.'
    ]
  ]))
