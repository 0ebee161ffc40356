import { expect, test } from 'vitest'
import { imageSize } from './image-size.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

test('001-21: attachments: the first bytes give the size of an image, and other data has no size', () => {
  expect(imageSize(bytes('89504e470d0a1a0a 0000000d49484452 00000003 00000007'))).toEqual({
    width: 3,
    height: 7
  })
  expect(imageSize(bytes('474946383961 0500 0900'))).toEqual({ width: 5, height: 9 })
  // Start of image, application segment, Huffman table, start of frame.
  expect(imageSize(bytes('ffd8 ffe0 0004 0000 ffc4 0003 00 ffc0 000b 08 0140 00f0 01 011100'))).toEqual({
    width: 240,
    height: 320
  })
  for (const other of ['', 'ffd8', 'ffd8 ffe0 ffff', 'ffd8 0000 0000 0000 0000 0000', '89504e47', '25504446'])
    expect(imageSize(bytes(other)), other).toBeUndefined()
})
