import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { markOrigin, ownHistory, withoutBlankTexts } from './own-history.ts'

type Content = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']
const said = (content: Content): LanguageModelV4Prompt => [{ role: 'assistant', content }]
const kept = (content: Content, provider = 'ours', names = ['ours']) =>
  ownHistory(said(content), provider, names)

test('reasoning goes only to the provider that signed it, and a message without content is left out', () => {
  const signed: Content = [
    { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } }
  ]
  expect(kept(signed, 'anthropic', ['anthropic'])).toEqual(said(signed))
  expect(kept(signed)).toEqual([])
})

test('reasoning without a signature goes only to the provider of its step', () => {
  const marked = markOrigin([{ type: 'reasoning', text: 'Hm.' } as Content[number]], 'ours')
  expect(kept(marked)).toEqual(said([{ type: 'reasoning', text: 'Hm.' }]))
  expect(kept(marked, 'others')).toEqual([])
})

test('reasoning of sessions without this mark is sent as before, and signatures are not marked', () => {
  const old: Content = [{ type: 'reasoning', text: 'Hm.' }]
  expect(kept(old)).toEqual(said(old))
  const signed = [{ type: 'reasoning', text: 'Hm.', providerOptions: { x: { signature: 's' } } }]
  expect(markOrigin(signed, 'ours')).toEqual(signed)
})

test('if the redaction changed a part of an item of OpenAI, its other parts lose their signature as well', () => {
  const part = { type: 'reasoning', text: 'Hm.', providerOptions: { openai: { itemId: 'rs_1' } } }
  const marked = { waystation: { provider: 'openai' } }
  const optionsOf = (parts: { type: string; providerOptions?: object }[]) =>
    markOrigin(parts, 'openai').map(({ providerOptions }) => providerOptions)
  expect(optionsOf([part, { ...part, providerOptions: {} }])).toEqual([marked, marked])
  const signed = { ...part, providerOptions: { anthropic: { signature: 's' } } }
  expect(optionsOf([signed, { ...part, providerOptions: {} }])).toEqual([signed.providerOptions, marked])
})

test('texts and calls stay, without the signatures of other providers', () => {
  const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 't', input: {} }
  const google = { google: { thoughtSignature: 's' } }
  expect(
    kept([
      { type: 'text', text: 'Yes.', providerOptions: { ...google, ours: { id: 1 } } },
      { ...call, providerOptions: google },
      { type: 'custom', kind: 'google.extra', providerOptions: google }
    ])
  ).toEqual(said([{ type: 'text', text: 'Yes.', providerOptions: { ours: { id: 1 } } }, call]))
})

test('blank texts are left out, and a user message with only blank texts says so', () => {
  const blank = { type: 'text' as const, text: ' \n' }
  const hello = { type: 'text' as const, text: 'Hello' }
  expect(
    withoutBlankTexts([
      { role: 'user', content: [blank] },
      { role: 'assistant', content: [blank] },
      { role: 'user', content: [hello, blank] }
    ])
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: '(empty message)' }] },
    { role: 'user', content: [hello] }
  ])
})
