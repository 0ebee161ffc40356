/** The header in which `server.ts` says which page was asked for; what a client put there is overwritten. */
export const askedHeader = 'x-waystation-asked'
