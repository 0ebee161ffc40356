import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A certificate and its key, as PEM and as files. The files are deleted when the test ends. */
export type Certificate = { cert: string; key: string; certFile: string; keyFile: string }

/** Creates a certificate for a host name, signed by `by` or by its own key. */
export function makeCertificate(host: string, issuer?: Certificate): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2'
      ],
      ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
      ...(issuer === undefined ? [] : ['-CA', issuer.certFile, '-CAkey', issuer.keyFile]),
      ...['-addext', `basicConstraints=critical,CA:${issuer === undefined ? 'TRUE' : 'FALSE'}`],
      ...['-keyout', keyFile, '-out', certFile]
    ],
    { encoding: 'utf8' }
  )
  if (status !== 0) throw new Error(stderr)
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}
