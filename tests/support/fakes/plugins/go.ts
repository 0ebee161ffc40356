import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { needs } from '#tests/support/needs.ts'

const hasPlugin = existsSync('/usr/bin/protoc-gen-go')
/** Debian's sources of gRPC for Go. */
const sources = '/usr/share/gocode'

/** Tests that generate Go code from the protos. */
export const withGoPlugin = needs('protoc-gen-go', hasPlugin)

/** Tests that build a plugin in Go. */
export const withGo = needs(
  'golang-go, golang-google-grpc-dev, golang-github-golang-protobuf-1-5-dev, protoc-gen-go and protoc-gen-go-grpc',
  hasPlugin &&
    existsSync('/usr/bin/go') &&
    existsSync('/usr/bin/protoc-gen-go-grpc') &&
    existsSync(join(sources, 'src', 'google.golang.org', 'grpc')) &&
    // Version 1.3 of this package cannot read the messages of protoc-gen-go. Version 1.5 has this file.
    existsSync(join(sources, 'src', 'github.com', 'golang', 'protobuf', 'proto', 'wire.go'))
)

/** Generates the Go code and builds a plugin, as its README says. Returns the program's path. */
export function buildGo(file: string, folder: string): string {
  const code = join(folder, 'src')
  mkdirSync(code, { recursive: true })
  run('protoc', ['-I', 'proto', `--go_out=${code}`, `--go-grpc_out=${code}`, ...readdirSync('proto')], {})
  const program = join(folder, 'plugin')
  const env = { GO111MODULE: 'off', GOPATH: `${folder}:${sources}`, GOCACHE: join(folder, 'cache') }
  run('/usr/bin/go', ['build', '-o', program, file], env)
  return program
}

function run(command: string, args: string[], env: Record<string, string>): void {
  const { status, stderr, error } = spawnSync(command, args, { env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`)
}
