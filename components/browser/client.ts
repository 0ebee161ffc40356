import { createClient } from '@waystation/client'

/**
 * The client of the page's own server. It sends the user's cookie. It makes one attempt for each request, so
 * that an error shows at once. The pages that poll repeat their requests anyway.
 */
export const client = createClient({ url: '', tries: 1 })
