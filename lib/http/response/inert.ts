/**
 * Headers under which a browser takes a response for data and not for a page of ours: nothing in it runs, loads or is framed
 * (CSP 3, "sandbox"; ASVS 5.0, 3.2.1 and 5.4), its type is not guessed, and no other site can embed it.
 */
export const inert = {
  'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin'
}
