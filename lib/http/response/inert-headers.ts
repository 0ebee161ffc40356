/**
 * Headers that make a browser treat a response as data, not as one of our pages. Nothing in it runs, loads or can be
 * framed (CSP 3, "sandbox"; ASVS 5.0, 3.2.1 and 5.4). Its type is not guessed, and other sites cannot embed it.
 */
export const inertHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin'
}
