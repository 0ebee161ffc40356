/** The credential of an `Authorization: Bearer …` header; undefined: there is no such header, or it is another kind. */
export function bearerOf(request: Request): string | undefined {
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return secret
}
