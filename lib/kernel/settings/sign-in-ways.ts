import { isLoopback } from '#lib/kernel/is-loopback.ts'

/** Who may sign people in: a provider with what its console gave. */
export type SignIn = {
  /** Its name in addresses and settings: "github", "oidc", "keycloak". */
  provider: string
  kind: 'github' | 'oidc'
  /** What its button says. */
  name: string
  id: string
  secret: string
  /** Who vouches for the people: an OpenID issuer, or GitHub's origin. */
  issuer: string
}

/** The issuers that need not be looked up. */
const known: Record<string, string> = {
  GITHUB: 'https://github.com',
  GITLAB: 'https://gitlab.com',
  GOOGLE: 'https://accounts.google.com'
}
const names: Record<string, string> = { GITHUB: 'GitHub', GITLAB: 'GitLab' }

/**
 * The ways to sign in, by name: `AUTH_<NAME>_ID` and `AUTH_<NAME>_SECRET`, `AUTH_<NAME>_ISSUER` for any OpenID provider
 * but the known ones, `AUTH_<NAME>_NAME` for its button; `AUTH_GITHUB_URL` for a GitHub Enterprise Server. What cannot
 * be used goes to `faults`.
 */
export function readSignIn(given: Record<string, string | undefined>, faults: string[]): SignIn[] {
  const found = Object.keys(given).flatMap(name => /^AUTH_(\w+)_(?:ID|SECRET|ISSUER)$/.exec(name)?.[1] ?? [])
  return [...new Set(found)].sort().flatMap(name => {
    const of = (part: string) => given[`AUTH_${name}_${part}`]
    const [id, secret] = [of('ID'), of('SECRET')]
    const isGitHub = name === 'GITHUB'
    const at = isGitHub ? 'URL' : 'ISSUER'
    const issuer = of(at) ?? known[name]
    const before = faults.length
    if (!id)
      faults.push(`AUTH_${name}_ID is missing. Set it together with the other AUTH_${name}_… settings.`)
    if (!secret)
      faults.push(`AUTH_${name}_SECRET is missing. Set it together with the other AUTH_${name}_… settings.`)
    if (isGitHub && of('ISSUER'))
      faults.push('AUTH_GITHUB_ISSUER is not supported. For a GitHub Enterprise Server, set AUTH_GITHUB_URL.')
    if (!issuer)
      faults.push(
        `AUTH_${name}_ISSUER is missing. Set it to the issuer URL of the OpenID Connect provider, such as https://accounts.google.com.`
      )
    else if (!isSafe(issuer))
      faults.push(`AUTH_${name}_${at} must be an https URL. An http URL is permitted only for this machine.`)
    if (!id || !secret || !issuer || faults.length > before) return []
    const provider = name.toLowerCase().replaceAll('_', '-')
    const called = of('NAME') ?? names[name] ?? (name === 'OIDC' ? new URL(issuer).host : titled(provider))
    const from = isGitHub ? new URL(issuer).origin : issuer
    return [{ provider, kind: isGitHub ? 'github' : 'oidc', name: called, id, secret, issuer: from }]
  })
}

/** The client's secret and people's codes are sent there. */
function isSafe(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
}

const titled = (provider: string) =>
  provider
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
