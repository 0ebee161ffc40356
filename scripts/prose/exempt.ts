/**
 * The prose check skips these pages and paths. `pages` is a pattern: decision records are history and stay as they are. The
 * other lists contain beginnings of paths. Texts in tests are sample data. Rewrite a folder, then remove it from
 * `comments` and `titles`.
 */
const packages = ['client', 'react'].map(name => `packages/${name}/`)

export const exempt = {
  pages: /\/decisions\/\d{3}-/,
  texts: ['tests/'],
  comments: ['app/', 'components/', ...packages],
  titles: ['components/', ...packages]
}
