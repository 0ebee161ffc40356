import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '#package' with { type: 'json' }

type Locked = {
  integrity?: string
  resolved?: string
  dev?: boolean
}
const packages: Record<string, Locked> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const registryPackages = Object.entries(packages).filter(
  ([path, { resolved }]) => path.includes('node_modules/') && !/^(file:)?packages\//.test(resolved ?? '')
)

test('22 A10: in the lock file, every registry package has an integrity hash and no URL', () => {
  expect(registryPackages.length).toBeGreaterThan(500)
  expect(
    registryPackages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  ).toEqual([])
  expect(registryPackages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('22 A10: an installation runs no script of the project, and production gets neither the sample services nor a patch tool', () => {
  const { postinstall, install, preinstall, prepare } = packageJson.scripts as Record<string, string>
  expect([postinstall, install, preinstall, prepare]).toEqual([undefined, undefined, undefined, undefined])
  expect(packages['']).not.toHaveProperty('hasInstallScript')
  const production = registryPackages.filter(([, { dev }]) => !dev).map(([path]) => path)
  for (const name of ['oidc-provider', 'koa', 'patch-package', '@types/oidc-provider'])
    expect(production).not.toContain(`node_modules/${name}`)
  expect(packages['node_modules/oidc-provider']?.dev).toBe(true)
})

test('22 A10: the installed driver is the one in packages/postgres', () => {
  expect(packageJson.dependencies.postgres).toBe('file:packages/postgres')
  for (const file of ['package.json', ...filesIn('src'), ...filesIn('types')])
    expect(readFileSync(`node_modules/postgres/${file}`, 'utf8'), file).toBe(
      readFileSync(`packages/postgres/${file}`, 'utf8')
    )
})

test('22 A10: base images are pinned by digest', () => {
  const images = [
    ...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm),
    ...readFileSync('compose.yaml', 'utf8').matchAll(/^ +image: (\S+)/gm)
  ].map(([, image]) => String(image))
  const pinned = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/
  // `compose.yaml` builds this image itself, so it has no digest before the build.
  expect(images.filter(image => !pinned.test(image))).toEqual(['waystation'])
  expect(images).toHaveLength(4)
})

test('22 A10: decision 001 gives a reason for every production dependency', () => {
  const table = readFileSync('docs/decisions/001-dependencies.md', 'utf8')
  const isNamed = (name: string) =>
    table.includes(`\`${name.startsWith('@fontsource-variable/') ? '@fontsource-variable/*' : name}\``)
  expect(Object.keys(packageJson.dependencies).filter(name => !isNamed(name))).toEqual([])
})

const filesIn = (folder: string) =>
  readdirSync(`packages/postgres/${folder}`).map(name => `${folder}/${name}`)
