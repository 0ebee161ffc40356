import { crc32 } from 'node:zlib'

/**
 * Encodes an event of Bedrock like AWS does (`application/vnd.amazon.eventstream`): lengths, headers, the JSON and
 * checksums. The event has one field: its type.
 */
export function encodeAwsEvent(event: Record<string, unknown>): Buffer {
  const [[type, content] = ['', {}]] = Object.entries(event)
  const isException = type.endsWith('Exception')
  const headers = Buffer.concat([
    header(':message-type', isException ? 'exception' : 'event'),
    header(isException ? ':exception-type' : ':event-type', type),
    header(':content-type', 'application/json')
  ])
  const payload = Buffer.from(JSON.stringify(content))
  const lengths = Buffer.concat([uint32(headers.length + payload.length + 16), uint32(headers.length)])
  const frame = Buffer.concat([lengths, uint32(crc32(lengths)), headers, payload])
  return Buffer.concat([frame, uint32(crc32(frame))])
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A header with a text. Its type is 7. */
const header = (name: string, value: string) =>
  Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([7, 0, value.length]),
    Buffer.from(value)
  ])
