/**
 * Returns the name and options of the session cookie, an encrypted JWT of next-auth. Over HTTPS the name has the
 * `__Host-` prefix, so that no other host or path can set it (ASVS 3.3). The name is our own, because cookies ignore
 * ports.
 */
export function sessionCookie(origin: string) {
  const isSecure = origin.startsWith('https:')
  return {
    name: isSecure ? '__Host-waystation.session' : 'waystation.session',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const
  }
}
