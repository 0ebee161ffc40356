import { readdir, readFile } from 'node:fs/promises'
import type { ProtoFile } from '@waystation/protocol/plugin/plugin.ts'

const folder = new URL('../../../proto/', import.meta.url)

/** Reads the files of the gRPC contract (`platform.proto` and others), sorted by name. */
export async function readProtos(): Promise<ProtoFile[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.proto')).sort()
  return Promise.all(names.map(async name => ({ name, text: await readFile(new URL(name, folder), 'utf8') })))
}
