/** The header in which `server.ts` puts the requested page. It overwrites any value from the client. */
export const requestedPathHeader = 'x-waystation-asked'
