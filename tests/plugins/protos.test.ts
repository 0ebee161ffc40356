import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DescField, DescFile } from '@bufbuild/protobuf'
import { file_lifecycle } from '@waystation/plugin-host/generated/lifecycle_pb.ts'
import { file_llm } from '@waystation/plugin-host/generated/llm_pb.ts'
import { file_platform } from '@waystation/plugin-host/generated/platform_pb.ts'
import { file_plugin } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { file_tool } from '@waystation/plugin-host/generated/tool_pb.ts'
import { file_view } from '@waystation/plugin-host/generated/view_pb.ts'
import { expect, onTestFinished, test } from 'vitest'
import { withGoPlugin } from '#tests/support/fakes/plugins/go.ts'

const generated = [file_lifecycle, file_llm, file_platform, file_plugin, file_tool, file_view]

/**
 * Lists the content of a proto file, one line each: `Message.field = 1 optional string`, `Enum.VALUE = 0`,
 * `Service.Call(A) B`.
 */
function linesOfProto(text: string): string[] {
  const lines: string[] = []
  const scopes: string[] = []
  for (const line of text
    .replace(/\/\/.*/g, '')
    .split('\n')
    .map(part => part.trim())
    .filter(Boolean)) {
    const [, opened] = /^(?:message|enum|service|oneof) (\w+) \{/.exec(line) ?? []
    if (opened) scopes.push(line.startsWith('oneof') ? '' : opened)
    const scope = scopes.findLast(Boolean)
    const call = /^rpc (\w+)\((stream )?(\w+)\) returns \((stream )?(\w+)\);$/.exec(line)
    if (call) lines.push(`${scope}.${call[1]}(${call[2] ?? ''}${call[3]}) ${call[4] ?? ''}${call[5]}`)
    const field = /^(.+ )?(\w+) = (\d+);$/.exec(line)
    if (field && !line.startsWith('syntax'))
      lines.push(`${scope}.${field[2]} = ${field[3]} ${(field[1] ?? '').trim()}`.trim())
    if (line.endsWith('}')) scopes.pop()
  }
  return lines.sort()
}

/** Lists the content of generated code in the same format, from its embedded descriptor. */
function linesOfDescriptor({ messages, enums, services }: DescFile): string[] {
  return [
    ...messages.flatMap(message =>
      message.fields.map(field => `${message.name}.${field.name} = ${field.number} ${typeOf(field)}`)
    ),
    ...enums.flatMap(({ name, values }) => values.map(value => `${name}.${value.name} = ${value.number}`)),
    ...services.flatMap(({ name, methods }) =>
      methods.map(({ name: call, input, output, methodKind }) => {
        const inputPrefix = methodKind === 'bidi_streaming' ? 'stream ' : ''
        const outputPrefix = methodKind === 'unary' ? '' : 'stream '
        return `${name}.${call}(${inputPrefix}${input.name}) ${outputPrefix}${output.name}`
      })
    )
  ].sort()
}

const scalars: Record<number, string> = { 2: 'float', 5: 'int32', 8: 'bool', 9: 'string', 12: 'bytes' }

function typeOf(field: DescField): string {
  if (field.fieldKind === 'map')
    return `map<${scalars[field.mapKey]}, ${field.mapKind === 'scalar' ? scalars[field.scalar] : ''}>`
  const type = field.message?.name ?? field.enum?.name ?? scalars[field.scalar ?? 0]
  if (field.fieldKind === 'list') return `repeated ${type}`
  return field.proto.proto3Optional ? `optional ${type}` : `${type}`
}

test('003-1: the six protos have one package and flat imports, and the generated code matches them', () => {
  const names = generated.map(({ name }) => name)
  expect(readdirSync('proto').sort()).toEqual(names.map(name => `${name}.proto`).sort())
  for (const file of generated) {
    const text = readFileSync(join('proto', `${file.name}.proto`), 'utf8')
    expect(text).toContain('package agentplatform.v1;')
    for (const [, imported] of text.matchAll(/import "(.+)";/g))
      expect(names).toContain(imported?.replace('.proto', ''))
    expect(linesOfDescriptor(file), `${file.name}.proto: run npm run proto`).toEqual(linesOfProto(text))
  }
})

withGoPlugin.test('003-1: protoc writes the six protos as one Go package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'go-protos-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = readdirSync('proto')
  const { status, stderr } = spawnSync('protoc', ['-I', 'proto', `--go_out=${folder}`, ...files])
  expect(String(stderr)).toBe('')
  expect(status).toBe(0)
  const written = join(folder, 'agentplatform', 'v1')
  expect(readdirSync(written).sort()).toEqual(files.map(name => name.replace('.proto', '.pb.go')).sort())
  for (const name of readdirSync(written))
    expect(readFileSync(join(written, name), 'utf8')).toContain('package agentplatformv1')
})

test('003-1, 003-4: fields are numbered from 1 in file order, and enums have exactly the known values', () => {
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
