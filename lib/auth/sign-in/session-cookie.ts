/**
 * The cookie that holds a person's session: an encrypted JWT of next-auth. Over https it has the `__Host-` prefix
 * (ASVS 3.3: no other host or path can set it). It has our name, since cookies of one host ignore ports.
 */
export function sessionCookie(origin: string) {
  const secure = origin.startsWith('https:')
  return {
    name: secure ? '__Host-waystation.session' : 'waystation.session',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  }
}
