import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { needs } from '#tests/support/needs.ts'

/**
 * Debian's own Python, even if the path has another one: the packages `python3-grpcio` and `protobuf-compiler-grpc`
 * belong to it.
 */
export const python = '/usr/bin/python3'
const plugin = '/usr/bin/grpc_python_plugin'

const hasPythonGrpc =
  existsSync(plugin) && spawnSync(python, ['-c', 'import grpc'], { stdio: 'ignore' }).status === 0

/** Tests that run a plugin in Python. */
export const withPython = needs('python3-grpcio and protobuf-compiler-grpc', hasPythonGrpc)

/**
 * Generates the Python code of the protos for PYTHONPATH, once per test file. Returns its folder, which is deleted
 * afterwards.
 */
export function pythonProtos(): string {
  const folder = mkdtempSync(join(tmpdir(), 'protos-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  if (hasPythonGrpc) generate(folder)
  return folder
}

/** Generates the Python code of the protos in a folder, and copies the library for plugins to it. */
export function generate(folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync('examples/plugins/waystation_plugin.py', join(folder, 'waystation_plugin.py'))
  const files = readdirSync('proto').map(name => join('proto', name))
  const args = ['-I', 'proto', `--python_out=${folder}`, `--grpc_out=${folder}`]
  const { status, stderr } = spawnSync('protoc', [...args, `--plugin=protoc-gen-grpc=${plugin}`, ...files])
  if (status !== 0) throw new Error(String(stderr))
}
