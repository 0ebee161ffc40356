/** Returns the credential of an `Authorization: Bearer …` header, or undefined without one. */
export function bearerOf(request: Request): string | undefined {
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return secret
}
