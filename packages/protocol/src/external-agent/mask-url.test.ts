import { expect, test } from 'vitest'
import { maskUrl, maskUrlSecrets } from './mask-url.ts'

test('a masked URL has neither credentials nor query, and of its path at most the words', () => {
  const url = 'https://ann:secret@acme.example/hooks/v1/T0123/in-box/s3cret?token=1'
  expect(maskUrl(url)).toBe('https://acme.example/••••')
  expect(maskUrlSecrets(url)).toBe('https://acme.example/hooks/v1/••••/in-box/••••?••••')
  expect(maskUrlSecrets('https://acme.example/')).toBe('https://acme.example/')
  expect(maskUrlSecrets(`https://acme.example/${'a'.repeat(25)}`)).toBe('https://acme.example/••••')
})
