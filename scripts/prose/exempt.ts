/**
 * What the prose check leaves out: a pattern of pages, and beginnings of paths. Decision records are history and stay as they are. Texts of tests
 * are sample data. The other lists only shrink: rewrite a folder, then remove it.
 */
export const exempt = {
  pages: /\/decisions\/\d{3}-/,
  texts: ['tests/'],
  comments: [
    'app/',
    'bench/',
    'components/',
    'db/',
    'examples/',
    'lib/',
    'packages/',
    'scripts/',
    'tests/',
    'server.ts'
  ],
  titles: ['components/', 'db/', 'examples/', 'lib/', 'packages/', 'scripts/', 'tests/']
}
