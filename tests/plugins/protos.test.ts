import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DescField, DescFile } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { file_lifecycle } from '#lib/plugins/grpc/generated/lifecycle_pb.ts'
import { file_llm } from '#lib/plugins/grpc/generated/llm_pb.ts'
import { file_platform } from '#lib/plugins/grpc/generated/platform_pb.ts'
import { file_plugin } from '#lib/plugins/grpc/generated/plugin_pb.ts'
import { file_tool } from '#lib/plugins/grpc/generated/tool_pb.ts'
import { file_view } from '#lib/plugins/grpc/generated/view_pb.ts'

const generated = [file_lifecycle, file_llm, file_platform, file_plugin, file_tool, file_view]

/** What a proto says, a line each: `Message.field = 1 optional string`, `Enum.VALUE = 0`, `Service.Call(A) B`. */
function written(text: string): string[] {
  const lines: string[] = []
  const places: string[] = []
  for (const line of text
    .replace(/\/\/.*/g, '')
    .split('\n')
    .map(part => part.trim())
    .filter(Boolean)) {
    const [, opens] = /^(?:message|enum|service|oneof) (\w+) \{/.exec(line) ?? []
    if (opens) places.push(line.startsWith('oneof') ? '' : opens)
    const place = places.findLast(Boolean)
    const call = /^rpc (\w+)\((stream )?(\w+)\) returns \((stream )?(\w+)\);$/.exec(line)
    if (call) lines.push(`${place}.${call[1]}(${call[2] ?? ''}${call[3]}) ${call[4] ?? ''}${call[5]}`)
    const field = /^(.+ )?(\w+) = (\d+);$/.exec(line)
    if (field && !line.startsWith('syntax'))
      lines.push(`${place}.${field[2]} = ${field[3]} ${(field[1] ?? '').trim()}`.trim())
    if (line.endsWith('}')) places.pop()
  }
  return lines.sort()
}

/** The same of generated code, by the description that is in it. */
function embedded({ messages, enums, services }: DescFile): string[] {
  return [
    ...messages.flatMap(message =>
      message.fields.map(field => `${message.name}.${field.name} = ${field.number} ${typeOf(field)}`)
    ),
    ...enums.flatMap(({ name, values }) => values.map(value => `${name}.${value.name} = ${value.number}`)),
    ...services.flatMap(({ name, methods }) =>
      methods.map(({ name: call, input, output, methodKind }) => {
        const asked = methodKind === 'bidi_streaming' ? 'stream ' : ''
        const told = methodKind === 'unary' ? '' : 'stream '
        return `${name}.${call}(${asked}${input.name}) ${told}${output.name}`
      })
    )
  ].sort()
}

const scalars: Record<number, string> = { 2: 'float', 5: 'int32', 8: 'bool', 9: 'string', 12: 'bytes' }

function typeOf(field: DescField): string {
  if (field.fieldKind === 'map')
    return `map<${scalars[field.mapKey]}, ${field.mapKind === 'scalar' ? scalars[field.scalar] : ''}>`
  const one = field.message?.name ?? field.enum?.name ?? scalars[field.scalar ?? 0]
  if (field.fieldKind === 'list') return `repeated ${one}`
  return field.proto.proto3Optional ? `optional ${one}` : `${one}`
}

test('003-1: the six protos are of one package, import each other flat, and the code that is kept is of them as they are', () => {
  const names = generated.map(({ name }) => name)
  expect(readdirSync('proto').sort()).toEqual(names.map(name => `${name}.proto`).sort())
  for (const file of generated) {
    const text = readFileSync(join('proto', `${file.name}.proto`), 'utf8')
    expect(text).toContain('package agentplatform.v1;')
    for (const [, imported] of text.matchAll(/import "(.+)";/g))
      expect(names).toContain(imported?.replace('.proto', ''))
    expect(embedded(file), `${file.name}.proto: run npm run proto`).toEqual(written(text))
  }
})

test('003-1, 003-4: fields count from 1 in the order in which they stand, and enums have the values that are known', () => {
  for (const { messages } of generated)
    for (const { fields } of messages)
      expect(fields.map(({ number }) => number)).toEqual(fields.map((_, at) => at + 1))
  const values = Object.fromEntries(
    generated.flatMap(({ enums }) => enums).map(({ name, values }) => [name, values.map(value => value.name)])
  )
  expect(values).toEqual({
    Capability: [
      'CAPABILITY_UNSPECIFIED',
      'LLM_PROVIDER',
      'TOOL_PROVIDER',
      'LIFECYCLE_HOOK',
      'VIEW_PROVIDER'
    ],
    Status: ['STATUS_UNSPECIFIED', 'SERVING', 'NOT_SERVING'],
    FinishReason: ['FINISH_REASON_UNSPECIFIED', 'STOP', 'TOOL_USE', 'MAX_TOKENS'],
    EventType: [
      'EVENT_TYPE_UNSPECIFIED',
      ...['AGENT_START', 'AGENT_END', 'TURN_START', 'TURN_END', 'LLM_REQUEST', 'LLM_RESPONSE'],
      ...['TOOL_CALL', 'TOOL_RESULT', 'HANDOFF']
    ],
    Action: ['ACTION_UNSPECIFIED', 'CONTINUE', 'MODIFY', 'CANCEL']
  })
})
