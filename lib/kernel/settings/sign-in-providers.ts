import { isLoopback } from '@waystation/base/is-loopback.ts'

/** A sign-in provider, with the client ID and secret from its console. */
export type SignIn = {
  /** Its name in URLs and settings: "github", "oidc", "keycloak". */
  provider: string
  kind: 'github' | 'oidc'
  /** The label of its button. */
  name: string
  id: string
  secret: string
  /** The origin that identifies users: an OpenID issuer, or GitHub's origin. */
  issuer: string
}

/** Issuers of well-known providers, which need no setting. */
const knownIssuers: Record<string, string> = {
  GITHUB: 'https://github.com',
  GITLAB: 'https://gitlab.com',
  GOOGLE: 'https://accounts.google.com'
}
const knownNames: Record<string, string> = { GITHUB: 'GitHub', GITLAB: 'GitLab' }

/**
 * Returns the configured sign-in providers. A provider has `AUTH_<NAME>_ID` and `AUTH_<NAME>_SECRET`.
 * `AUTH_<NAME>_ISSUER` is required unless the provider is known. `AUTH_<NAME>_NAME` labels its button.
 * `AUTH_GITHUB_URL` selects a GitHub Enterprise Server. Errors are added to `errors`.
 */
export function readSignIn(variables: Record<string, string | undefined>, errors: string[]): SignIn[] {
  const prefixes = Object.keys(variables).flatMap(
    name => /^AUTH_(\w+)_(?:ID|SECRET|ISSUER)$/.exec(name)?.[1] ?? []
  )
  return [...new Set(prefixes)].sort().flatMap(name => {
    const setting = (part: string) => variables[`AUTH_${name}_${part}`]
    const [id, secret] = [setting('ID'), setting('SECRET')]
    const isGitHub = name === 'GITHUB'
    const issuerField = isGitHub ? 'URL' : 'ISSUER'
    const issuer = setting(issuerField) ?? knownIssuers[name]
    const errorCount = errors.length
    if (!id)
      errors.push(`AUTH_${name}_ID is missing. Set it together with the other AUTH_${name}_… settings.`)
    if (!secret)
      errors.push(`AUTH_${name}_SECRET is missing. Set it together with the other AUTH_${name}_… settings.`)
    if (isGitHub && setting('ISSUER'))
      errors.push('AUTH_GITHUB_ISSUER is not supported. For a GitHub Enterprise Server, set AUTH_GITHUB_URL.')
    if (!issuer)
      errors.push(
        `AUTH_${name}_ISSUER is missing. Set it to the issuer URL of the OpenID Connect provider, such as https://accounts.google.com.`
      )
    else if (!isSafe(issuer))
      errors.push(
        `AUTH_${name}_${issuerField} must be an https URL. An http URL is permitted only for this machine.`
      )
    if (!id || !secret || !issuer || errors.length > errorCount) return []
    const provider = name.toLowerCase().replaceAll('_', '-')
    const label =
      setting('NAME') ?? knownNames[name] ?? (name === 'OIDC' ? new URL(issuer).host : titleCase(provider))
    const issuerUrl = isGitHub ? new URL(issuer).origin : issuer
    return [{ provider, kind: isGitHub ? 'github' : 'oidc', name: label, id, secret, issuer: issuerUrl }]
  })
}

/** True for https URLs, and for http URLs of this machine. The client secret and users' codes are sent there. */
function isSafe(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
}

const titleCase = (provider: string) =>
  provider
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
