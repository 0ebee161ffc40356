/** Reads the width and height in pixels from the header of a PNG, GIF or JPEG. Undefined for other data. */
export function imageSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47)
    return { width: view.getUint32(16), height: view.getUint32(20) }
  if (bytes.length >= 10 && view.getUint32(0) === 0x47494638)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  return bytes.length >= 4 && view.getUint16(0) === 0xffd8 ? jpegSize(view) : undefined
}

/**
 * Skips the segments of a JPEG up to the start of frame (SOF), which contains the size. Each segment starts with a
 * marker and its length (ITU-T T.81, annex B).
 */
function jpegSize(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (startsFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
  return undefined
}
