import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Peer, Place } from './peer.ts'

/** Writes the project of a peer into its folder, installs its packages, and builds it. */
export async function install(peer: Peer, place: Place): Promise<void> {
  const project = { name: 'peer', private: true, type: 'module', dependencies: peer.packages }
  const files = { 'package.json': JSON.stringify(project), ...peer.files(place) }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place.folder, path)), { recursive: true })
    writeFileSync(join(place.folder, path), content)
  }
  if (Object.keys(peer.packages).length > 0)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
      cwd: place.folder,
      stdio: ['ignore', 'ignore', 'pipe']
    })
  await peer.build?.(place)
}
