/**
 * The prose check skips these pages and paths. `pages` is a pattern: decision records are history and stay as they are.
 * `texts` contains beginnings of paths: texts in tests are sample data.
 */
export const exempt = { pages: /\/decisions\/\d{3}-/, texts: ['tests/'] }
